import { textFacts } from "@kb/db";
import { testDatabase } from "@kb/db/testing";
import { expect, it, onTestFinished } from "vitest";
import { textFinding } from "./dependencies.ts";

const byCodePoint = { encoding: "UTF8", knowsCapitals: true, sortedBy: "1", present: "1" };

it("kb doctor accepts the text of a database that the service made", async () => {
  const test = await testDatabase();
  onTestFinished(() => test.drop());
  expect(textFinding(await textFacts(test.url))).toEqual({ name: "text", state: "ok", message: "UTF8" });
});

it.each([
  ["cannot store all text", { encoding: "SQL_ASCII" }, "fail", "SQL_ASCII"],
  ["has indexes of other locales", { sortedBy: "2.31", present: "2.36" }, "fail", "REINDEX DATABASE"],
  ["has lost its locales", { sortedBy: "2.31", present: null }, "warn", "if it has moved"],
  ["has got locales", { sortedBy: null, present: "2.36" }, "warn", "if it has moved"],
  ["knows no capitals of other alphabets", { knowsCapitals: false }, "warn", "C.UTF-8"],
] as const)("kb doctor says that a database %s", (_, facts, state, words) => {
  const finding = textFinding({ ...byCodePoint, ...facts });
  expect(finding.state).toBe(state);
  expect(finding.message).toContain(words);
});

it("kb doctor accepts a database without versions of its locales", () => {
  expect(textFinding({ ...byCodePoint, sortedBy: null, present: null }).state).toBe("ok");
});
