// Drives VS Code like a user, starting with an empty profile. It also takes the screenshots of the documentation:
// ADEBUG_CAPTURE=1 rewrites them.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";

import { Editor, project } from "./lib/editor.mjs";
import { Person } from "./lib/person.mjs";
import { run } from "./lib/processes.mjs";
import { fact, addResult } from "./lib/report.mjs";
import { scratch } from "./lib/scratch.mjs";
import * as bare from "./walk/bare.mjs";
import * as exception from "./walk/exception.mjs";
import * as first from "./walk/first.mjs";
import * as highContrast from "./walk/high_contrast.mjs";
import * as lens from "./walk/lens.mjs";
import * as missing from "./walk/missing.mjs";
import * as testing from "./walk/testing.mjs";

const here = import.meta.dirname;
const root = path.join(here, "../../..");
const SEEN = path.join(root, "build/test-editor");
const PICTURES = path.join(root, "docs/images");

const SCENES = { first, testing, lens, exception, highContrast, missing, bare };

/** The scenes by name; each is a separate suite. */
export const scenes = Object.fromEntries(
  Object.entries(SCENES).map(([name, scene]) => [name, (installed, vsix) => walk(scene, installed, vsix)]),
);

async function walk(scene, installed, vsix) {
  mkdirSync(SEEN, { recursive: true });
  const editor = new Editor(installed, scene.settings(installed), { untouched: scene.untouched });
  const browser = await installed.browser();
  try {
    await editor.install(vsix, ...(scene.besidePython ? [await packed(installed)] : []));
    await editor.start();
    const folder = project(path.join(root, "examples/shop"));
    const person = await Person.sitDown(browser, editor.url(folder), scene.size);
    await play(scene, person, folder);
    await person.leave();
  } finally {
    await browser.close();
    await editor.stop();
  }
}

/** Run the steps of a scene in order, up to the first that fails. */
async function play({ steps, tellsErrors = false }, person, folder) {
  let going = true;
  for (const [name, step] of Object.entries(steps)) {
    const failed = path.join(SEEN, `failed ${name}.png`);
    if (going) going = await fact(name, () => step(person, { folder, picture, seen }), () => person.shot(failed));
    else addResult(name, "not reached", 0);
  }
  if (!going || tellsErrors) return;
  await fact("no error was shown on the way", async () => assert.deepEqual(await person.errors(), []));
}

/** Keep a screenshot of the window for review. */
async function seen(person, name) {
  const file = path.join(SEEN, `${name}.png`);
  await person.rest();
  await person.shot(file);
  return file;
}

/** Take a screenshot for the documentation. */
async function picture(person, name) {
  const file = await seen(person, name);
  if (!process.env.ADEBUG_CAPTURE) return;
  mkdirSync(PICTURES, { recursive: true });
  const kept = path.join(PICTURES, `vscode-${name}.png`);
  await run("pngquant", ["--force", "--strip", "--speed", "1", "--output", kept, file]);
}

/** Package the extension that replaces the Python extensions. */
async function packed(installed) {
  const vsix = path.join(scratch("probe"), "probe.vsix");
  const vsce = path.join(here, "../node_modules/@vscode/vsce/vsce");
  const options = ["--no-dependencies", "--skip-license", "--allow-missing-repository", "--out", vsix];
  await run(installed.node, [vsce, "package", ...options], { cwd: path.join(here, "probe") });
  return vsix;
}
