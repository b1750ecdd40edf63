import { defineConfig } from "vitest/config";
import policy from "./vitest.mutation.config.ts";

/** The same for the sessions, whose tests take the whole harness: the mutants of the policy do without it. */
export default defineConfig({ test: { ...policy.test, include: ["src/sessions/*.test.ts"] } });
