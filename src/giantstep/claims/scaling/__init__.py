"""Claims on risks that fall like a power of compute."""
