import pytest

from playlist.songs import Playlist, Song
from playlist.summary import artists, longest, summary
from playlist.times import clock, total


@pytest.fixture
def songs():
    return Playlist([Song("Dawn", "Ida", 184), Song("Noon", "Ole", 241), Song("Dusk", "Ida", 205)])


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (59, "0:59"), (184, "3:04"), (630, "10:30")])
def test_durations(seconds, text):
    assert clock(seconds) == text


def test_songs_come_in_order(songs):
    assert [song.title for song in songs] == ["Dawn", "Noon", "Dusk"]


def test_the_sum_of_durations(songs):
    assert total(songs) == 630


def test_artists_are_named_once(songs):
    assert artists(songs) == ["Ida", "Ole"]


def test_the_longest_song(songs):
    assert longest(songs) == "Noon"


def test_a_list_can_be_read_twice(songs):
    first = list(songs)
    assert list(songs) == first


def test_the_summary_counts_and_adds(songs):
    assert summary(songs) == "3 songs by 2 artists, 10:30"
