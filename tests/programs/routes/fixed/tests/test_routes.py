import pytest

from routes.dijkstra import search
from routes.network import read_network
from routes.trips import describe, trip

MAP = """
Ayr Bath 9
Bath Cork 4
Ayr Dale 2
Dale Cork 20
Cork Esk 3
Esk Fife 5
Goole Hull 1
"""


@pytest.fixture
def network():
    return read_network(MAP)


def test_roads_lead_both_ways(network):
    assert network.from_place("Esk") == [("Cork", 3), ("Fife", 5)]


def test_a_place_is_no_way_from_itself(network):
    assert trip(network, "Ayr", "Ayr") == (0, ["Ayr"])


def test_a_single_road(network):
    assert trip(network, "Ayr", "Bath") == (9, ["Ayr", "Bath"])


def test_roads_add_up(network):
    assert trip(network, "Bath", "Fife") == (12, ["Bath", "Cork", "Esk", "Fife"])


def test_some_places_are_not_reached(network):
    assert describe(network, "Ayr", "Hull") == "no way from Ayr to Hull"


def test_only_connected_places_are_searched(network):
    best, _ = search(network, "Goole")
    assert best == {"Goole": 0, "Hull": 1}


def test_a_detour_can_be_shorter(network):
    assert describe(network, "Ayr", "Fife") == "Ayr - Bath - Cork - Esk - Fife: 21 km"


def test_unknown_places(network):
    assert describe(network, "Ayr", "Zell") == "no way from Ayr to Zell"
