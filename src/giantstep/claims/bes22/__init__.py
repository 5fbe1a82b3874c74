"""[bes22]: one gradient step in the proportional regime n ~ N ~ d."""
