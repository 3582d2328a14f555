print("deeper loaded", __name__)


def __getattr__(name):
    if name == "lazy":
        return "made on demand"
    raise AttributeError(f"nothing called {name}")
