"""Normal forms of expressions: sums of products, their growth, kinks, components and Hermite polynomials."""
