// Tests the extension in a real VS Code. `make test-editor` passes the folder that `install.sh` printed; further arguments
// select the tests to run: `host`, or scenes of the walk.
// Screenshots of the walk are kept in build/test-editor/.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { Installed } from "./lib/editor.mjs";
import { endAll, leftAfter } from "./lib/processes.mjs";
import { close, fact } from "./lib/report.mjs";
import { removeScratch } from "./lib/scratch.mjs";
import { host } from "./host.mjs";
import { scenes } from "./walk.mjs";

const suites = { host, ...scenes };
const here = import.meta.dirname;
const [folder, ...chosen] = process.argv.slice(2);

function builtExtension() {
  const { version } = JSON.parse(readFileSync(path.join(here, "../package.json"), "utf8"));
  const vsix = path.join(here, `../dist/adebug-${process.platform}-${process.arch}-${version}.vsix`);
  if (!existsSync(vsix)) throw new Error(`there is no ${vsix}: say make vsix`);
  return vsix;
}

function cleanUp() {
  endAll();
  removeScratch();
}

for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]]) {
  process.on(signal, () => {
    cleanUp();
    process.exit(code);
  });
}

try {
  const installed = new Installed(folder);
  const vsix = builtExtension();
  for (const name of chosen.length ? chosen : Object.keys(suites)) {
    await fact(`the suite ${name} comes to its end`, () => suites[name](installed, vsix));
    await fact(`the suite ${name} leaves no process behind`, async () => {
      const left = await leftAfter(10);
      endAll();
      if (left.length) throw new Error(left.map(({ pid, command }) => `${pid} ${command}`).join("\n"));
    });
  }
} finally {
  cleanUp();
}
process.exit(close());
