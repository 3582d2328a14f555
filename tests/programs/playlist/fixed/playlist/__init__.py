"""Playlists: songs, durations and mixes."""
