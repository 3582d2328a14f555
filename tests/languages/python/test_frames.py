"""pandas frames and series: recorded by the arrays inside them, shown by columns, compared by content."""

from collections.abc import Mapping

import pytest

from tests.languages.python.recorded import Recorded, node_of, record

PROGRAM = """
    import numpy as np
    import pandas as pd

    def with_total(df):
        df["total"] = df["a"] + df["b"]

    def corrected(df):
        df.loc[0, "a"] = 50

    def doubled(s):
        return s * 2

    def rows(df):
        return df[df["a"] > 2]

    def main():
        df = pd.DataFrame({"a": [1, 2, 3], "b": [1.5, 2.5, np.nan], "e": pd.Categorical(["u", "v", None])})
        with_total(df)
        corrected(df)
        rows(df)
        doubled(pd.Series([1.0, 2.0], name="s", index=[7, 9]))
        doubled(pd.Series([1.0, 2.0], name="s", index=[7, 9]))
        doubled(pd.Series([1.0, 3.0], name="s", index=[7, 9]))

    main()
"""
FIRST = "DataFrame('a': [1, 2, 3] int64, 'b': [1.5, 2.5, nan] float64, 'e': ['u', 'v', nan] category"
TOTAL = ", 'total': [2.5, 4.5, nan] float64; 3 rows)"


@pytest.fixture(scope="module", params=["", "1"], ids=["native", "pure"])
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADEBUG_PURE", request.param)
        return record(tmp_path_factory.mktemp("frames"), PROGRAM)


def sides(recorded: Recorded, call: str) -> Mapping[str, str]:
    subject = recorded.subject()
    behaviour = subject.behaviour(node_of(subject, call))
    both = {"before": behaviour.before, "after": behaviour.after}
    return {side: bound.bindings[0].value.text for side, bound in both.items() if bound.bindings}


def test_a_new_column_is_shown(recorded: Recorded) -> None:
    assert sides(recorded, "with_total(") == {"before": f"{FIRST}; 3 rows)", "after": FIRST + TOTAL}


def test_an_element_set_by_loc_is_shown(recorded: Recorded) -> None:
    after = (FIRST + TOTAL).replace("[1, 2, 3]", "[50, 2, 3]")
    assert sides(recorded, "corrected(") == {"before": FIRST + TOTAL, "after": after}


def test_labels_are_shown_unless_they_just_count(recorded: Recorded) -> None:
    subject = recorded.subject()
    result = subject.behaviour(node_of(subject, "doubled(")).result
    assert result is not None
    assert result.text == "Series([2.0, 4.0], float64, name 's', index [7, 9])"


def test_parts_are_columns_and_elements(recorded: Recorded) -> None:
    subject = recorded.subject()
    result = subject.behaviour(node_of(subject, "rows(")).result
    assert result is not None
    element = result.at(["b", 1])
    assert element is not None
    assert element.text == "nan"


def test_the_same_content_is_the_same_behaviour(recorded: Recorded) -> None:
    subject = recorded.subject()
    calls = [node for node in range(len(subject.tree)) if subject.behaviour(node).text.startswith("doubled(")]
    keys = [subject.behaviour_key(node) for node in calls]
    assert len(keys) == 3
    assert keys[0] == keys[1] != keys[2]
