"""A cost profile as a table, as JSON, as a file for speedscope, and as an HTML page with a flame graph."""

import json
from html import escape

from adebug_lsp.languages.cost_profile import CostProfile

SPEEDSCOPE_SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def as_table(profile: CostProfile) -> list[str]:
    """A row for each cost centre, the most expensive first, and an explanation of the letters."""
    totals = sorted(profile.totals().items(), key=lambda item: -sum(item[1]))
    rows = [["cost centre", *(kind.symbol for kind in profile.kinds)]]
    rows += [[name, *map(str, costs)] for name, costs in totals]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            text.ljust(width) if not column else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return [*lines, "", ", ".join(f"{kind.symbol} {kind.meaning}" for kind in profile.kinds)]


def as_json(profile: CostProfile) -> str:
    """One JSON object."""
    symbols = [kind.symbol for kind in profile.kinds]

    def named(costs: "list[int] | tuple[int, ...]") -> dict[str, int]:
        return dict(zip(symbols, costs, strict=True))

    return json.dumps(
        {
            "kinds": {kind.symbol: kind.meaning for kind in profile.kinds},
            "centres": {name: named(costs) for name, costs in profile.totals().items()},
            "paths": [{"path": list(centre.path), "costs": named(centre.costs)} for centre in profile.centres],
            "exit_code": profile.exit_code,
            "message": profile.message,
        }
    )


def as_speedscope(profile: CostProfile, name: str) -> str:
    """A file for https://www.speedscope.app: a sampled profile for each kind of cost, the sum of all first."""
    names = list(profile.totals())
    samples = [[names.index(part) for part in centre.path] for centre in profile.centres]
    columns = [("all costs", [sum(centre.costs) for centre in profile.centres])]
    columns += [
        (f"{kind.symbol} {kind.meaning}", [centre.costs[index] for centre in profile.centres])
        for index, kind in enumerate(profile.kinds)
    ]
    profiles = [
        {
            "type": "sampled",
            "name": title,
            "unit": "none",
            "startValue": 0,
            "endValue": sum(weights),
            "samples": samples,
            "weights": weights,
        }
        for title, weights in columns
        if sum(weights)
    ]
    return json.dumps(
        {
            "$schema": SPEEDSCOPE_SCHEMA,
            "name": name,
            "exporter": "adebug",
            "shared": {"frames": [{"name": name} for name in names]},
            "profiles": profiles,
        }
    )


def as_html(profile: CostProfile, name: str) -> str:
    """A self-contained page: the table, and a clickable flame graph."""
    table = profile.totals()
    head = "".join(f'<th title="{escape(kind.meaning)}">{escape(kind.symbol)}' for kind in profile.kinds)
    rows = "".join(
        f"<tr><th>{escape(centre)}{''.join(f'<td>{cost}' for cost in costs)}"
        for centre, costs in sorted(table.items(), key=lambda item: -sum(item[1]))
    )
    data = {
        "kinds": [f"{kind.symbol} {kind.meaning}" for kind in profile.kinds],
        "centres": [[list(centre.path), list(centre.costs)] for centre in profile.centres],
    }
    text = json.dumps(data).replace("<", "\\u003c")  # no name can end the script
    message = f"<p>{escape(profile.message)}</p>" if profile.message else ""
    return (
        _PAGE.replace("@TITLE@", escape(f"Costs of {name}"))
        .replace("@MESSAGE@", message)
        .replace("@TABLE@", f"<table><tr><th>cost centre{head}{rows}</table>")
        .replace("@DATA@", text)
    )


_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>@TITLE@</title>
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<style>
body { font: 14px system-ui, sans-serif; margin: 2em; color: #222; background: #fff }
table { border-collapse: collapse } th, td { padding: .2em .8em; text-align: right } th:first-child { text-align: left }
#graph { position: relative; margin-top: 1em }
#graph button { position: absolute; height: 22px; box-sizing: border-box; border: 1px solid #fff; padding: 0 4px;
  overflow: hidden; white-space: nowrap; text-align: left; font: 12px system-ui, sans-serif; color: #222 }
</style></head><body><h1>@TITLE@</h1>@MESSAGE@@TABLE@
<p><label>Cost: <select id="kind"></select></label> Click a box to enlarge it, the outermost one to see all.</p>
<div id="graph"></div>
<script>
const data = @DATA@;
const made = (name, above) => ({name, above, below: new Map(), costs: data.kinds.map(() => 0)});
const root = made("", null);
for (const [path, costs] of data.centres) {
  let node = root;
  for (const name of path) {
    if (!node.below.has(name)) node.below.set(name, made(name, node));
    node = node.below.get(name);
  }
  node.costs = costs;
}
const kind = document.getElementById("kind"), graph = document.getElementById("graph");
for (const [value, text] of [["-1", "all"], ...data.kinds.map((text, index) => [String(index), text])])
  kind.add(new Option(text, value));
const own = node => +kind.value < 0 ? node.costs.reduce((a, b) => a + b, 0) : node.costs[+kind.value];
const total = node => own(node) + [...node.below.values()].reduce((sum, one) => sum + total(one), 0);
let focus = root;
function box(node, left, width, row, all) {
  const button = document.createElement("button");
  let hue = 7;
  for (const letter of node.name) hue = (hue * 31 + letter.codePointAt(0)) % 60;
  button.textContent = node.name;
  button.title = `${node.name}: ${total(node)} (${(100 * total(node) / all).toFixed(1)} %), ${own(node)} of its own`;
  button.style.cssText = `left:${100 * left}%;width:${100 * width}%;top:${row * 22}px;background:hsl(${hue},85%,72%)`;
  button.onclick = () => { focus = node; draw(); };
  graph.append(button);
}
function draw() {
  graph.replaceChildren();
  const above = [];
  for (let node = focus; node.above; node = node.above) above.unshift(node);
  const all = total(root) || 1;
  above.slice(0, -1).forEach((node, row) => box(node, 0, 1, row, all));
  let rows = 0;
  const place = (node, left, width, row) => {
    if (width < 0.0005) return;
    rows = Math.max(rows, row + 1);
    if (node.above) box(node, left, width, row, all);
    const sum = total(node) || 1;
    let start = left;
    for (const one of node.below.values()) {
      const part = width * total(one) / sum;
      place(one, start, part, node.above ? row + 1 : row);
      start += part;
    }
  };
  place(focus, 0, 1, Math.max(above.length - 1, 0));
  graph.style.height = `${rows * 22}px`;
}
kind.onchange = draw;
draw();
</script></body></html>
"""
