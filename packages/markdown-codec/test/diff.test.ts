import { threadMs } from "@kb/testing/growth";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diff, normalize, parseMarkdown, replaceText, serializeMarkdown } from "../src/index.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { report, runs } from "./runs.ts";

const header = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/;

/** Applies unified hunks as `patch` does, and refuses what does not fit: a second, independent reading of the format. */
function patched(before: string, hunks: string): string {
  const source = before.split("\n");
  const result: string[] = [];
  let at = 0;
  const lines = hunks === "" ? [] : hunks.split("\n");
  for (let index = 0; index < lines.length; ) {
    const [, start = 0, removed = 0, target = 0, added = 0] = (header.exec(lines[index] ?? "") ?? []).map(Number);
    index += 1;
    const from = removed === 0 ? start : start - 1;
    result.push(...source.slice(at, from));
    at = from;
    expect(result.length).toBe(added === 0 ? target : target - 1);
    const endOld = at + removed;
    const endNew = result.length + added;
    for (; index < lines.length && !header.test(lines[index] ?? ""); index += 1) {
      const line = lines[index] ?? "";
      if (line[0] !== "+") expect(source[at++]).toBe(line.slice(1));
      if (line[0] !== "-") result.push(line.slice(1));
    }
    expect([at, result.length]).toEqual([endOld, endNew]);
  }
  return [...result, ...source.slice(at)].join("\n");
}

describe("diff", () => {
  test("applied to the Markdown before, it gives the Markdown after", { timeout: 3_600_000 }, () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "", "d e"), { maxLength: 30, size: "max" });
    const texts = lines.map((all) => all.map((line) => `${line}\n`).join(""));
    const documents = ordinaryDocuments.map((doc) => serializeMarkdown(normalize(doc).doc));
    const pairs = fc.oneof(fc.tuple(texts, texts), fc.tuple(documents, documents), fc.tuple(texts, documents));
    const chosen = runs(3_000);
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        const hunks = diff(before, after);
        expect(patched(before, hunks)).toBe(after);
        expect(hunks === "").toBe(before === after);
      }),
      chosen,
    );
    report("diff", chosen);
  });

  test("one change of a long document is one hunk with three lines of context", () => {
    const before = parseMarkdown(Array.from({ length: 50 }, (_, index) => `Paragraph ${index}.`).join("\n\n"));
    const after = replaceText(before, "Paragraph 25.", "Another one.");
    expect(diff(before, after).split("\n")).toEqual([
      "@@ -48,7 +48,7 @@",
      " ",
      " Paragraph 24.",
      " ",
      "-Paragraph 25.",
      "+Another one.",
      " ",
      " Paragraph 26.",
      " ",
    ]);
  });

  test("two texts of 50,000 lines with nothing in common are compared in seconds, not hours", () => {
    const text = (word: string): string =>
      Array.from({ length: 50_000 }, (_, index) => `${word} ${index % 7}`).join("\n");
    const start = threadMs();
    expect(diff(text("a"), text("b")).length).toBeGreaterThan(500_000);
    expect(threadMs() - start).toBeLessThan(10_000);
  });
});
