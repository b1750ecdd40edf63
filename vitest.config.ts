import { globSync } from "node:fs";
import { defineConfig } from "vitest/config";
import type { Reporter } from "vitest/node";

const services = process.env.KB_TEST_SERVICES === "1";
const everything = ["apps/*/{src,test}/**/*.test.ts", "packages/*/{src,test}/**/*.test.ts", "checks/**/*.test.ts"];
const needServices = everything.map((pattern) => pattern.replace("*.test.ts", "*.services.test.ts"));

/** Says at the end of a run which suites it left out, and how to run them. */
const leftOut: Reporter = {
  onTestRunEnd() {
    const suites = globSync(needServices, { exclude: (name) => name === "node_modules" });
    if (services || suites.length === 0) return;
    console.log(`Left out, because they need Redis or a browser (run them with \`pnpm test:services\`):`);
    for (const suite of suites) console.log(`  ${suite}`);
  },
};

export default defineConfig({
  test: {
    include: services ? needServices : everything,
    exclude: ["**/node_modules/**", "**/dist/**", ...(services ? [] : ["**/*.services.test.ts"])],
    reporters: ["default", leftOut],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
