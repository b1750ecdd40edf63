import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The tests as each mutant meets them: few worlds, always the same, and the first failure ends the search. */
export default defineConfig({
  test: {
    include: ["src/*.test.ts", "src/sessions/*.test.ts"],
    globalSetup: [fileURLToPath(import.meta.resolve("@kb/testing/cluster-setup"))],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    env: { KB_POLICY_WORLDS: "15", KB_FUZZ_SEED: "7", KB_MUTATION: "1" },
  },
});
