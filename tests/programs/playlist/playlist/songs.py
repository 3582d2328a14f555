"""Songs, and lists of them that can be read any number of times."""


class Song:
    def __init__(self, title, artist, seconds):
        self.title = title
        self.artist = artist
        self.seconds = seconds

    def __repr__(self):
        return f"Song({self.title!r})"


class Playlist:
    def __init__(self, songs):
        self._songs = list(songs)
        self._position = 0

    def __len__(self):
        return len(self._songs)

    def __iter__(self):
        return self

    def __next__(self):
        if self._position == len(self._songs):
            raise StopIteration
        song = self._songs[self._position]
        self._position += 1
        return song
