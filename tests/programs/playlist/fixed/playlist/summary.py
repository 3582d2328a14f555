"""Lines about a playlist."""

from playlist.times import clock, total


def artists(songs):
    return sorted({song.artist for song in songs})


def longest(songs):
    return max(songs, key=lambda song: song.seconds).title


def summary(songs):
    return f"{len(songs)} songs by {len(artists(songs))} artists, {clock(total(songs))}"
