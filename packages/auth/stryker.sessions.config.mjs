import policy from "./stryker.config.json" with { type: "json" };

/** Mutants of the sessions, held to their own tests. */
export default {
  ...policy,
  vitest: { configFile: "vitest.sessions.mutation.config.ts" },
  mutate: ["src/sessions/*.ts", "!src/**/*.test.ts"],
};
