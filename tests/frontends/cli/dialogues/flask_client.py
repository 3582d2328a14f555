# adebug test; answers: no no yes
"""A view of Flask, called through its test client, answers with a price."""

from collections.abc import Iterator

import flask
import pytest
from flask.testing import FlaskClient

app = flask.Flask(__name__)


def price(item: str, count: int) -> int:
    return {"pen": 2, "book": 12}[item] + count


@app.get("/price/<item>")
def show(item: str) -> dict[str, int]:
    return {"price": price(item, int(flask.request.args.get("count", 1)))}


@pytest.fixture
def client() -> Iterator[FlaskClient]:
    with app.test_client() as client:
        yield client


def test_price(client: FlaskClient) -> None:
    assert client.get("/price/book?count=2").json == {"price": 24}
