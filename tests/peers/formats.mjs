// What junit2json and tap-parser read in files: {name: {tests, failed, skipped, faults}} on stdout.
// usage: node formats.mjs FILE...
import fs from "node:fs";
import path from "node:path";
import { parse } from "junit2json";
import { Parser } from "tap-parser";

async function junit(text) {
  const cases = ((await parse(text)).testsuite ?? []).flatMap((suite) => suite.testcase ?? []);
  return {
    tests: cases.length,
    failed: cases.filter((one) => one.failure || one.error).length,
    skipped: cases.filter((one) => one.skipped !== undefined).length,
    faults: [],
  };
}

function tap(text) {
  const events = Parser.parse(text);
  const tests = events.filter(([kind]) => kind === "assert").map(([, test]) => test);
  const [, whole] = events.find(([kind]) => kind === "complete");
  return {
    tests: tests.length,
    failed: tests.filter((test) => !test.ok).length,
    skipped: tests.filter((test) => test.skip).length,
    // Names of tests that fail are listed there as well.
    faults: [
      ...whole.failures.filter((failure) => failure.tapError).map((failure) => failure.tapError),
      ...events.filter(([kind]) => kind === "extra").map(([, line]) => `no TAP: ${line}`),
      ...tests.filter((test) => !test.ok && !test.diag).map((test) => `no YAML: ${test.name}`),
    ],
  };
}

const read = {};
for (const file of process.argv.slice(2)) {
  const text = fs.readFileSync(file, "utf8");
  read[path.basename(file)] = file.endsWith(".xml") ? await junit(text) : tap(text);
}
console.log(JSON.stringify(read));
