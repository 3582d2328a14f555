from . import exported

print("run as a package", __name__, __package__, exported())
