// What was tried and what came of it.
const failures = [];
let passed = 0;

/** One fact. What it throws is its failure; those that follow are tried nevertheless. */
export async function fact(name, attempt, onFailure = async () => {}) {
  const begun = Date.now();
  try {
    await attempt();
    told(name, null, Date.now() - begun);
    return true;
  } catch (error) {
    told(name, error?.stack ?? String(error), Date.now() - begun);
    await onFailure();
    return false;
  }
}

/** A fact that was tried elsewhere. */
export function told(name, failure, milliseconds) {
  if (failure === null) passed += 1;
  else failures.push(name);
  console.log(`${failure === null ? "ok    " : "FAILED"} ${name} (${(milliseconds / 1000).toFixed(1)} s)`);
  if (failure !== null) console.log(String(failure).replace(/^/gm, "       "));
}

/** The closing line, and the exit code. */
export function close() {
  for (const name of failures) console.log(`failed: ${name}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  return failures.length || !passed ? 1 : 0;
}
