import spec from "commonmark-spec";
import { describe, expect, test } from "vitest";
import { parseMarkdown, toHtml } from "../src/index.ts";
import { differences } from "./commonmark-differences.ts";
import { htmlReading, withoutLooseness } from "./html-reading.ts";
import { holdsForText } from "./laws.ts";

const examples = spec.tests.map(({ markdown, html, number, section }) => ({
  markdown: markdown.replaceAll("→", "\t"),
  html: html.replaceAll("→", "\t"),
  number,
  section,
}));

/** Both HTMLs as they are compared. */
function bothReadings(markdown: string, html: string): [ours: string, theirs: string] {
  return [htmlReading(toHtml(parseMarkdown(markdown))), htmlReading(html)];
}

describe("the 652 examples of CommonMark 0.31.2", () => {
  test("all of them are there", () => {
    expect(examples).toHaveLength(652);
  });

  test("each is read in normal form, survives writing, and is a fixpoint after one pass", () => {
    const broken = examples.flatMap(({ number, markdown }) => {
      try {
        holdsForText(markdown);
        return [];
      } catch (error) {
        return [`${number}: ${error instanceof Error ? error.message : String(error)}`];
      }
    });
    expect(broken).toEqual([]);
  });

  test("the HTML of each is the specification's, but for those listed with a reason in commonmark-differences.ts", () => {
    const listed = new Set(Object.values(differences).flatMap((difference) => difference.examples));
    const unlisted = examples
      .filter(({ number }) => !listed.has(number))
      .flatMap(({ number, markdown, html }) => {
        const [ours, theirs] = bothReadings(markdown, html);
        return ours === theirs ? [] : [{ number, markdown, ours, theirs }];
      });
    expect(unlisted).toEqual([]);
  });

  test("no example is listed without a difference, and none twice", () => {
    const listed = Object.values(differences).flatMap((difference) => difference.examples);
    expect(new Set(listed).size).toBe(listed.length);
    const equal = examples.filter(({ number, markdown, html }) => {
      const [ours, theirs] = bothReadings(markdown, html);
      return listed.includes(number) && ours === theirs;
    });
    expect(equal.map((example) => example.number)).toEqual([]);
  });

  test("those listed for looseness differ in nothing else", () => {
    const loose = new Set(differences.looseness?.examples);
    const others = examples.filter(({ number, markdown, html }) => {
      const [ours, theirs] = bothReadings(markdown, html).map(withoutLooseness);
      return loose.has(number) && ours !== theirs;
    });
    expect(others.map((example) => example.number)).toEqual([]);
  });
});
