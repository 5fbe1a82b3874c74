"""[cui24] the risk after one giant step, in the limit."""
