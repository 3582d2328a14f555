"""Durations as text."""


def clock(seconds):
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes}:{seconds:02}"


def total(songs):
    return sum(song.seconds for song in songs)
