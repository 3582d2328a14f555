// Temporary folders, which are removed at the end of the run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = mkdtempSync(path.join(tmpdir(), "adebug-editor-"));

export function scratch(name) {
  return mkdtempSync(path.join(root, `${name}-`));
}

export function removeScratch() {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
