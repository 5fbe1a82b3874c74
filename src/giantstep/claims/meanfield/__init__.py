"""Claims about wide networks in the mean-field limit, trained by noisy gradient descent."""
