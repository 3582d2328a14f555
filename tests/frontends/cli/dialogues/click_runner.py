# adebug test; answers: no no yes yes
"""A command of Click, called through its test runner, prints a bill."""

import click
from click.testing import CliRunner


def line(item: str, cents: int) -> str:
    return f"{item} {cents // 100}.{cents % 100}"


@click.command()
@click.argument("item")
@click.option("--cents", type=int)
def bill(item: str, cents: int) -> None:
    click.echo(line(item, cents))


def test_bill() -> None:
    result = CliRunner().invoke(bill, ["tea", "--cents", "205"])
    assert result.output == "tea 2.05\n"
