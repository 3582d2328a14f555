"""The benchmark over the planted-bug programs counts the questions and text that a person would get."""

from benchmarks.programs import Result, by_program, by_strategy, play_all, program_names, recorded


def test_the_twin_answers_until_the_bug_is_found() -> None:
    with recorded("prime") as run:
        results = play_all(run, ["expected-cost", "single-stepping"])
    assert results["expected-cost"].questions == 4
    assert results["expected-cost"].size == len("i < lim")
    assert all(result.covered for result in results.values())
    assert results["single-stepping"].text > 0


def test_a_program_with_tests_is_entered_by_its_failing_test() -> None:
    with recorded("receipts") as run:
        assert run.entry.name.endswith("test_small_cents_have_two_digits")
        result = play_all(run, ["expected-cost"])["expected-cost"]
    assert result.covered
    assert result.size == len('f"{sign}{euros}.{cents}"')


def test_programs_that_never_end_are_left_out() -> None:
    assert "integer_root" not in program_names()
    assert len(program_names()) >= 40


def test_tables_begin_with_the_fewest_questions() -> None:
    few, many = Result(2, 10, 5, covered=True), Result(7, 30, 9, covered=False)
    table = by_strategy({"top-down": {"a": many, "b": many}, "expected-cost": {"a": few, "b": many}}).splitlines()
    assert table[2] == "| **expected-cost** | 4.5 | 4 | 7 | 20.0 | 20 | 30 | 7.0 | 7 | 9 | 1 of 2 |"
    assert table[3] == "| top-down | 7.0 | 7 | 7 | 30.0 | 30 | 30 | 9.0 | 9 | 9 | 0 of 2 |"
    assert by_program({"a": few}).endswith("| a | 2 | 10 | 5 | yes |")
