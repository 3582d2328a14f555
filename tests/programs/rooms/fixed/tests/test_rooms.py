import pytest

from rooms.plan import Plan, TakenError, book_all
from rooms.report import busiest, used_minutes
from rooms.slots import Slot, slot


def test_a_slot_is_read():
    assert slot("09:30-10:15") == Slot(570, 615)


def test_neighbours_do_not_overlap():
    assert not slot("09:00-10:00").overlaps(slot("10:00-11:00"))


def test_a_room_is_booked_once():
    plan = Plan()
    plan.book("Ann", "oak", slot("09:00-10:00"))
    with pytest.raises(TakenError, match="taken by Ann"):
        plan.book("Bob", "oak", slot("09:30-11:00"))


def test_a_batch_is_booked():
    plan = Plan()
    assert book_all(plan, ["Ann oak 09:00-10:00", "Bob elm 09:00-10:30"])
    assert used_minutes(plan) == {"oak": 60, "elm": 90}


def test_a_failed_batch_leaves_nothing():
    plan = Plan()
    plan.book("Ann", "oak", slot("09:00-10:00"))
    assert not book_all(plan, ["Bob elm 09:00-10:00", "Cy ash 08:00-12:00", "Cy oak 09:45-10:45"])
    assert used_minutes(plan) == {"oak": 60}


def test_the_busiest_room():
    plan = Plan()
    book_all(plan, ["Ann oak 09:00-10:00", "Bob elm 09:00-10:30", "Cy oak 11:00-12:00"])
    assert busiest(plan) == "oak"


def test_a_good_batch_after_a_bad_one():
    plan = Plan()
    assert book_all(plan, ["Ann oak 09:00-10:00"])
    assert not book_all(plan, ["Bob oak 09:30-09:45"])
    assert book_all(plan, ["Bob oak 10:00-11:00"])
