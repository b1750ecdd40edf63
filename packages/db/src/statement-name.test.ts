import { describe, expect, it } from "vitest";
import { statementNames } from "./statement-name.ts";

describe("the name of a statement", () => {
  it.each([
    ["BEGIN", "BEGIN"],
    ["SELECT 1", "SELECT"],
    ['SELECT "public"."documents"."id" FROM "public"."documents" WHERE 1=1', "SELECT documents"],
    ["SELECT (SELECT count(*) FROM tags t) AS n, d.id FROM documents d JOIN tags t ON true", "SELECT documents"],
    ['INSERT INTO "public"."events" ("teamId", id) VALUES ($1, $2)', "INSERT events"],
    ["INSERT INTO events (id) SELECT id FROM documents", "INSERT events"],
    ["UPDATE webhook_deliveries d SET status = 'x' FROM ended", "UPDATE webhook_deliveries"],
    ["DELETE FROM sessions WHERE id IN (SELECT id FROM users)", "DELETE sessions"],
    [
      "WITH due AS (SELECT 1 FROM events FOR UPDATE) UPDATE webhook_deliveries d SET x = 1",
      "UPDATE webhook_deliveries",
    ],
    ["SELECT 1 FROM teams t WHERE id = $1 FOR NO KEY UPDATE", "SELECT teams"],
    ["SET TRANSACTION READ ONLY", "SET"],
    ["VACUUM", "OTHER"],
    ["", "OTHER"],
  ])("%s: %s", (text, summary) => {
    expect(statementNames()({ text }).summary).toBe(summary);
  });

  it("contains no value and a limited number of tables, whatever statements run", {
    meta: { proves: ["decision.running.metrics"] },
  }, () => {
    const nameOf = statementNames();
    const summaries = new Set<string>();
    for (let index = 0; index < 5_000; index += 1) {
      summaries.add(nameOf({ text: `SELECT 'a secret' FROM "table_${index}" WHERE x = 'another'` }).summary);
    }
    expect(summaries.size).toBeLessThanOrEqual(201);
    for (const summary of summaries) expect(summary).toMatch(/^SELECT( table_\d+)?$/);
  });
});
