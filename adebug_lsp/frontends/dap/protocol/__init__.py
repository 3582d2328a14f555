"""The Debug Adapter Protocol on the wire: framing, channels, message types, capabilities."""
