// Reports test results.
const failures = [];
let passed = 0;

/** Run one test. If it throws, it fails; the following tests still run. */
export async function fact(name, attempt, onFailure = async () => {}) {
  const begun = Date.now();
  try {
    await attempt();
    addResult(name, null, Date.now() - begun);
    return true;
  } catch (error) {
    addResult(name, error?.stack ?? String(error), Date.now() - begun);
    await onFailure();
    return false;
  }
}

/** Report a test that ran elsewhere. */
export function addResult(name, failure, milliseconds) {
  if (failure === null) passed += 1;
  else failures.push(name);
  console.log(`${failure === null ? "ok    " : "FAILED"} ${name} (${(milliseconds / 1000).toFixed(1)} s)`);
  if (failure !== null) console.log(String(failure).replace(/^/gm, "       "));
}

/** Print the summary; returns the exit code. */
export function close() {
  for (const name of failures) console.log(`failed: ${name}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  return failures.length || !passed ? 1 : 0;
}
