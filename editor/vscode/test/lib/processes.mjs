// Every process that a test run starts has the run's mark in its environment, so that leftovers can be detected.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const NAME = "ADEBUG_EDITOR_TEST";
const mark = `${NAME}=${randomUUID()}`;
const environment = { ...process.env, [NAME]: mark.slice(NAME.length + 1) };

/** Start a program with the mark. */
export function start(command, args, { env = {}, ...options } = {}) {
  return spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options, env: { ...environment, ...env } });
}

/** The environment for programs that other processes start for us. */
export const marked = environment;

/** Run a program to its end; returns its output. */
export async function run(command, args, options) {
  const child = start(command, args, options);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += data));
  const code = await new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${printed}`);
  return printed;
}

/** The processes of this run that are still alive: pid and command. */
export function left() {
  const found = [];
  for (const name of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${name}/environ`, "latin1").split("\0").includes(mark)) continue;
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      if (command) found.push({ pid: Number(name), command }); // a zombie has no command
    } catch {
      // It has ended, or belongs to another user.
    }
  }
  return found;
}

/** Wait for all processes to end by themselves; returns those that did not. */
export async function leftAfter(seconds) {
  const deadline = Date.now() + seconds * 1000;
  while (left().length && Date.now() < deadline) await sleep(100);
  return left();
}

/** Kill the remaining processes by pid. */
export function endAll() {
  for (const { pid } of left()) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
  }
}
