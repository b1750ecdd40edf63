import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests without a database come first: they find most mutants in milliseconds. */
const order = ["access.test.ts", "api-key.test.ts", "channel-access.test.ts", "authenticate.test.ts"];

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      (order.indexOf(basename(moduleId)) + order.length + 1) % (order.length + 1);
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

/**
 * The tests as each mutant meets them: few worlds, always the same, in which most kinds of caller occur, and the first
 * failure ends the search.
 */
export default defineConfig({
  test: {
    include: ["src/{access,api-key,authenticate,channel-access,policy}.test.ts"],
    globalSetup: [fileURLToPath(import.meta.resolve("@kb/db/testing/cluster-setup"))],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    sequence: { sequencer: QuickFirst },
    env: { KB_POLICY_WORLDS: "12", KB_FUZZ_SEED: "211" },
  },
});
