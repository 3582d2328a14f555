"""Packets in a stream of bytes: a length, then as many bytes; a length of zero ends the stream."""

import io


def encode(texts):
    parts = []
    for text in texts:
        data = text.encode()
        parts.append(bytes([len(data)]) + data)
    return b"".join(parts) + b"\x00"


def take(stream):
    """The next byte as a number; 0 at the end."""
    data = stream.read(1)
    return data[0] if data else 0


def packets(stream):
    """The contents of the packets."""
    found = []
    while (length := take(stream)) > 0:
        found.append(stream.read(length))
    return found


def decode(data):
    return [packet.decode("ascii", "replace") for packet in packets(io.BytesIO(data))]


def longest(texts):
    return max(texts, key=len, default="")


def main():
    texts = ["tide", "at", "nine", "o'clock"]
    received = decode(encode(texts))
    print(received)
    print("longest:", longest(received))
    print("same" if received == texts else "different")


if __name__ == "__main__":
    main()
