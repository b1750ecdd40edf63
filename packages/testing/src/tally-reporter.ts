import { writeSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** Result of one test run. */
type Tally = { passed: number; failed: number };

/**
 * Prints the end of a run's output: the suites that it left out and how to run them, the skipped tests, the failed
 * tests, which are far above by then, and only `N passed, N failed` on the last line.
 */
export function tallyReporter(leftOut: readonly string[]): Reporter {
  let tally: Tally | undefined;
  let skipped: string[] = [];
  let failedTests: string[] = [];
  const print = (code: number): void => {
    const { passed, failed: counted } = tally ?? { passed: 0, failed: 0 };
    // A run that broke before its tests (its configuration, its set-up) has failed too.
    const failed = code === 0 ? counted : Math.max(counted, 1);
    const listed = [...namedLines("skipped", skipped), ...leftOutLines(leftOut), ...namedLines("failed", failedTests)];
    const lines = [...listed, `${passed} passed, ${failed} failed`];
    writeSync(1, `${lines.join("\n")}\n`);
  };
  return {
    // Other reporters print their summaries at the end of the run too; nothing prints after the process's own end.
    onInit: () => {
      process.once("exit", print);
    },
    onTestRunEnd: (modules, unhandledErrors) => {
      tally = count(modules, unhandledErrors.length);
      skipped = testNames(modules, "skipped");
      failedTests = [...testNames(modules, "failed"), ...brokenFiles(modules)];
    },
  };
}

function count(modules: readonly TestModule[], unhandledErrors: number): Tally {
  const tally = { passed: 0, failed: unhandledErrors };
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === "passed") tally.passed += 1;
      if (state === "failed") tally.failed += 1;
    }
    // A file or a hook that breaks outside its tests is a failure of its own.
    tally.failed += module.errors().length;
    for (const suite of module.children.allSuites()) tally.failed += suite.errors().length;
  }
  return tally;
}

const testNames = (modules: readonly TestModule[], state: "skipped" | "failed"): string[] =>
  modules.flatMap((module) =>
    [...module.children.allTests(state)].map((test) => `${pathOf(module)}: ${test.fullName}`),
  );

/** Returns the files that broke outside their tests. */
const brokenFiles = (modules: readonly TestModule[]): string[] =>
  modules
    .filter((module) => hasErrors(module) || [...module.children.allSuites()].some(hasErrors))
    .map((module) => `${pathOf(module)}: outside the tests`);

const hasErrors = (place: Pick<TestModule, "errors">): boolean => place.errors().length > 0;

/** Returns the path from the folder of the run, which a command can name again. */
const pathOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId);

const namedLines = (outcome: string, tests: readonly string[]): string[] =>
  tests.length === 0 ? [] : [`${outcome} ${tests.length}:`, ...tests.map((test) => `  ${test}`), ""];

function leftOutLines(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const heading = `left out ${files.length} suites that need Redis or Chromium; run them with: npx --yes pnpm@10.34.9 test:services`;
  return [heading, ...files.map((file) => `  ${file}`), ""];
}
