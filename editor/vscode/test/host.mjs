// Tests of the extension from inside the extension host, through VS Code's extension API.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { Editor, project } from "./lib/editor.mjs";
import { Person } from "./lib/person.mjs";
import { addResult } from "./lib/report.mjs";
import { scratch } from "./lib/scratch.mjs";

const here = import.meta.dirname;
const SHOP = path.join(here, "../../../examples/shop");
const LONGEST = 120_000;

export async function host(installed, vsix) {
  const browser = await installed.browser();
  try {
    await window(installed, vsix, browser, "session", {});
    await window(installed, vsix, browser, "untrusted", { "security.workspace.trust.enabled": true });
  } finally {
    await browser.close();
  }
}

/** Run the tests of one file in a separate window. */
async function window(installed, vsix, browser, file, settings) {
  const editor = new Editor(installed, settings);
  const report = path.join(scratch("report"), "report.jsonl");
  try {
    await editor.install(vsix);
    await editor.start({ env: { ADEBUG_HOST_REPORT: report, ADEBUG_HOST_FILE: `${file}.test.js` }, inside: true });
    const inside = [
      ["extensionDevelopmentPath", editor.remote(path.join(here, "probe"))],
      ["extensionTestsPath", editor.remote(path.join(here, "host/index.js"))],
    ];
    const person = await Person.sitDown(browser, editor.url(project(SHOP), inside));
    await readReport(report);
    await person.leave();
  } finally {
    await editor.stop();
  }
}

/** Report each test as it finishes. */
async function readReport(report) {
  const deadline = Date.now() + LONGEST;
  for (let next = 0; ; await sleep(100)) {
    const lines = existsSync(report) ? readFileSync(report, "utf8").split("\n").slice(0, -1) : [];
    for (const line of lines.slice(next).map((text) => JSON.parse(text))) {
      if (line.end === null) return;
      if (line.end !== undefined) throw new Error(line.end);
      addResult(line.name, line.failure, line.milliseconds);
    }
    next = lines.length;
    if (Date.now() > deadline) throw new Error(`no end after ${LONGEST / 1000} s`);
  }
}
