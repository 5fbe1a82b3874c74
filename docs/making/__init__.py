"""What `make docs` does besides Sphinx: it gathers the pages, and writes those that are made from the code."""
