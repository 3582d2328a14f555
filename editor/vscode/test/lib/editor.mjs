// Starts a VS Code server with a fresh profile on a free local port, and a browser page for it.
import { createRequire } from "node:module";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";

import { marked, run, start } from "./processes.mjs";
import { scratch } from "./scratch.mjs";

const SETTINGS = {
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "security.workspace.trust.enabled": false,
  "editor.minimap.enabled": false,
  "editor.cursorBlinking": "solid",
  "editor.occurrencesHighlight": "off",
  "git.enabled": false,
  "files.autoSave": "off",
  "remote.autoForwardPorts": false,
};

/** Settings that keep a fresh profile from using the network and from asking whether the folder is trusted. */
const UNTOUCHED = ["telemetry.telemetryLevel", "update.mode", "extensions.autoCheckUpdates", "security.workspace.trust.enabled"];

/** The installation made by `install.sh`. */
export class Installed {
  constructor(folder) {
    this.folder = folder;
    this.node = path.join(folder, "node/bin/node");
    this.server = path.join(folder, "node_modules/code-server/lib/vscode/out/server-main.js");
    this.python = path.join(folder, "python/bin");
    this.bare = path.join(folder, "bare/bin");
    this.playwright = createRequire(path.join(folder, "package.json"))("playwright-core");
  }

  browser() {
    const args = ["--no-sandbox", "--disable-gpu", "--disable-lcd-text"];
    return this.playwright.chromium.launch({ executablePath: "/usr/bin/chromium", args, env: marked });
  }
}

/** A copy of a project that tests may edit. */
export function project(from) {
  const folder = path.join(scratch("project"), path.basename(from));
  cpSync(from, folder, { recursive: true, filter: (name) => !/__pycache__|\.adebug|\.pytest_cache/.test(name) });
  return folder;
}

/** The editor's server with an empty profile and the given extensions. */
export class Editor {
  constructor(installed, settings, { untouched = false } = {}) {
    this.installed = installed;
    const usual = untouched ? Object.fromEntries(UNTOUCHED.map((name) => [name, SETTINGS[name]])) : SETTINGS;
    this.profile = scratch("profile");
    // The interpreter is a machine setting, the theme a user setting.
    for (const whose of ["User", "Machine"]) {
      mkdirSync(path.join(this.profile, whose));
      writeFileSync(path.join(this.profile, whose, "settings.json"), JSON.stringify({ ...usual, ...settings }));
    }
  }

  get #folders() {
    return ["--user-data-dir", this.profile, "--extensions-dir", path.join(this.profile, "extensions")];
  }

  install(...files) {
    const { node, server } = this.installed;
    return run(node, [server, ...this.#folders, ...files.flatMap((file) => ["--install-extension", file])]);
  }

  /** Tests inside the extension host need the driver, which suppresses the editor's messages to users. */
  async start({ env = {}, inside = false } = {}) {
    const { node, server, python } = this.installed;
    const port = await freePort();
    const options = ["--host", "127.0.0.1", "--port", String(port), "--without-connection-token"];
    // Without the last one, the editor uses the PATH of a login shell.
    const more = ["--accept-server-license-terms", "--telemetry-level", "off", "--force-disable-user-env"];
    if (inside) more.push("--enable-smoke-test-driver");
    this.process = start(node, [server, ...this.#folders, ...options, ...more], {
      env: { PATH: `${python}:${process.env.PATH}`, ...env },
    });
    this.log = "";
    for (const stream of [this.process.stdout, this.process.stderr]) stream.on("data", (data) => (this.log += data));
    this.address = `127.0.0.1:${port}`;
    const deadline = Date.now() + 60_000;
    while (!this.log.includes("Extension host agent listening")) {
      if (this.process.exitCode !== null || Date.now() > deadline) throw new Error(`no editor came up:\n${this.log}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return this;
  }

  /** The address of a window on a folder; with a payload, for tests inside the extension host. */
  url(folder, payload = []) {
    const query = new URLSearchParams({ folder });
    if (payload.length) query.set("payload", JSON.stringify(payload));
    return `http://${this.address}/?${query}`;
  }

  remote(file) {
    return `vscode-remote://${this.address}${file}`;
  }

  async stop() {
    if (this.process && this.process.exitCode === null) {
      const ended = new Promise((resolve) => this.process.once("exit", resolve));
      this.process.kill("SIGTERM");
      await ended;
    }
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
