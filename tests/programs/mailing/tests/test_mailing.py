from mailing.issue import batches, letters
from mailing.members import Member, parse_member
from mailing.select import by_domain, interested, read

TEXT = """
Amy <amy@a.example> tea,music
Bo <bo@b.example> chess
-Cat <cat@a.example> chess,tea
Di <di@a.example> chess
"""


def test_a_member_is_read():
    assert parse_member("Bo <bo@b.example> chess") == Member("Bo", "bo@b.example", frozenset({"chess"}))


def test_a_minus_marks_those_who_left():
    assert [member.name for member in read(TEXT) if not member.active] == ["Cat"]


def test_nobody_wants_nothing():
    assert interested(read(TEXT), set()) == []


def test_those_who_left_get_no_letter():
    assert letters(TEXT, ["chess"]) == {"bo@b.example": "Dear Bo,", "di@a.example": "Dear Di,"}


def test_members_are_grouped_by_server():
    assert by_domain(read(TEXT)) == {"a.example": ["Amy", "Cat", "Di"], "b.example": ["Bo"]}


def test_one_common_topic_is_enough():
    assert batches(TEXT, ["chess", "music"]) == {"a.example": ["Amy", "Di"], "b.example": ["Bo"]}


def test_all_topics_reach_all_active_members():
    assert len(letters(TEXT, ["tea", "chess", "music"])) == 3
