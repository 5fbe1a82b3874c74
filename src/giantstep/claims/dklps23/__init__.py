"""[dklps23]: giant steps, one or several, on low-dimensional targets."""
