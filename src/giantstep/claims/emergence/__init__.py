"""Claims on abilities that appear suddenly, one after another."""
