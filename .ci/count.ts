// Prints how many tests passed and failed over several reports of vitest. A suite that could not be loaded, and a report
// that is missing because its run died, count as one failure each.
import { existsSync, readFileSync } from "node:fs";

type Suite = { status: string; assertionResults: { status: string }[] };
type Count = { passed: number; failed: number; skipped: number };

const total: Count = { passed: 0, failed: 0, skipped: 0 };
for (const path of process.argv.slice(2)) {
  const count = existsSync(path) ? countReport(path) : { passed: 0, failed: 1, skipped: 0 };
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
}
if (total.skipped > 0) console.log(`${total.skipped} skipped`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

function countReport(path: string): Count {
  const report: { testResults: Suite[] } = JSON.parse(readFileSync(path, "utf8"));
  const unloaded = report.testResults.filter(
    (suite) => suite.status === "failed" && !suite.assertionResults.some(isFailed),
  );
  const tests = report.testResults.flatMap((suite) => suite.assertionResults);
  const passed = tests.filter((test) => test.status === "passed").length;
  const failed = tests.filter(isFailed).length;
  return { passed, failed: failed + unloaded.length, skipped: tests.length - passed - failed };
}

function isFailed(test: { status: string }): boolean {
  return test.status === "failed";
}
