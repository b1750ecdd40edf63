import { existsSync, globSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { longestFirst } from "./packages/testing/src/longest-first.ts";
import { tallyReporter } from "./packages/testing/src/tally-reporter.ts";

const root = import.meta.dirname;
const withServices = process.env.KB_TEST_SERVICES === "1";

const clusterSetup = resolve(root, "packages/db/src/testing/cluster-setup.ts");
const nativeClassesSetup = resolve(root, "packages/testing/src/native-classes-setup.ts");

// Workers and the programs that tests start compile the same modules; `compileCache` of packages/testing passes it on.
process.env.NODE_COMPILE_CACHE ??= resolve(root, "node_modules/.cache/compiled");

const servicesPattern = "**/*.services.test.ts";
const ignored = ["**/node_modules/**", "**/dist/**", "**/generated/**"];

// The files of a project share the modules of a worker, because evaluating them anew for each file took half of their processor
// time. These do not: the app's unit tests replace modules and parts of the browser, and the codec's measure how time grows.
const isolated = new Set(["packages/markdown-codec", ...(withServices ? [] : ["apps/web"])]);

const folders = globSync(["apps/*", "packages/*"], { cwd: root })
  .filter((folder) => existsSync(resolve(root, folder, "package.json")))
  .concat("checks", "deploy", "docker")
  .sort();

/** The files of the last projects of a run that take longest, although others are larger. */
const longFiles =
  /(screens|preferences|keyboard-stops|editor-keys|chaos)\.services\.test\.ts$|import-(turns|crash)\.test\.ts$/;

function project(folder: string): TestProjectInlineConfiguration {
  const name = basename(folder);
  return {
    test: {
      name,
      // One root for all: the cache of transformed modules is kept for each root, and the projects import the same packages.
      root,
      include: [`${folder}/${withServices ? servicesPattern : "**/*.test.ts"}`],
      exclude: withServices ? ignored : [...ignored, servicesPattern],
      globalSetup: clusterSetup,
      setupFiles: isolated.has(folder) ? [] : [nativeClassesSetup],
      isolate: isolated.has(folder),
      // On a busy machine a step takes many times as long; they end only what hangs.
      testTimeout: 60_000,
      hookTimeout: 180_000,
      // A busy machine delays what is awaited; a failing condition only takes longer to report.
      expect: { poll: { timeout: 30_000 } },
    },
  };
}

const leftOut = withServices
  ? []
  : globSync(
      folders.map((folder) => `${folder}/${servicesPattern}`),
      { cwd: root, exclude: (path) => path.includes("node_modules") },
    ).map((file) => relative(root, resolve(root, file)));

export default defineConfig({
  test: {
    projects: folders.map(project),
    // Each file talks to PostgreSQL on the same machine; more would only make them wait for each other. A file of the services
    // waits for browsers, processes and timers half of the time.
    maxWorkers: withServices ? 3 : 2,
    teardownTimeout: 20_000,
    sequence: { sequencer: longestFirst((path) => longFiles.test(path)) },
    reporters: ["default", tallyReporter(leftOut.sort())],
    passWithNoTests: withServices,
  },
});
