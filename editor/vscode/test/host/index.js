// Runs inside the extension host: writes the result of each test of a file as a JSON line to the file that the runner
// reads.
const { appendFileSync } = require("node:fs");
const path = require("node:path");

exports.run = async () => {
  const tell = (line) => appendFileSync(process.env.ADEBUG_HOST_REPORT, `${JSON.stringify(line)}\n`);
  try {
    const { facts } = require(path.join(__dirname, process.env.ADEBUG_HOST_FILE));
    for (const [name, attempt] of Object.entries(facts)) {
      const begun = Date.now();
      const failure = await attempt().then(() => null, (error) => error?.stack ?? String(error));
      tell({ name, failure, milliseconds: Date.now() - begun });
    }
    tell({ end: null });
  } catch (error) {
    tell({ end: error?.stack ?? String(error) });
  }
};
