"""The lab: claims in the browser. A small server over the same claims, judge and store as the terminal.

`jobs` is what is computed, each a function from plain data to plain data; `workers` performs it in processes that may
be stopped or die; `web` answers requests; `tours` are stories told in states of the page. FastAPI and uvicorn
(`giantstep[lab]`) are imported only when a server is made.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
