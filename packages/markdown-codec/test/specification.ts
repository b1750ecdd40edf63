import { describe, expect, test } from "vitest";
import { parseMarkdown, toHtml } from "../src/index.ts";
import { htmlReading, withoutLooseness } from "./html-reading.ts";
import { holdsForText } from "./laws.ts";

/** An example of a specification: Markdown and the HTML that it stands for. */
export interface Example {
  readonly number: number;
  readonly markdown: string;
  readonly html: string;
}

/** Why the HTML of some examples is not the specification's, and which examples, by name. */
export type Differences = Record<string, { readonly reason: string; readonly examples: readonly number[] }>;

/** Both HTMLs as they are compared. */
export function bothReadings({ markdown, html }: Example): [ours: string, theirs: string] {
  return [htmlReading(toHtml(parseMarkdown(markdown))), htmlReading(html)];
}

/** Tests the examples of a specification: the laws, and the HTML but for the differences that are listed with a reason. */
export function testSpecification(
  name: string,
  count: number,
  examples: readonly Example[],
  differences: Differences,
): void {
  const listed = Object.values(differences).flatMap((difference) => difference.examples);

  describe(`the ${count} examples of ${name}`, () => {
    test("all of them are there", () => {
      expect(examples).toHaveLength(count);
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

    test("the HTML of each is the specification's, but for those listed with a reason", () => {
      const unlisted = examples
        .filter(({ number }) => !listed.includes(number))
        .flatMap((example) => {
          const [ours, theirs] = bothReadings(example);
          return ours === theirs ? [] : [{ number: example.number, markdown: example.markdown, ours, theirs }];
        });
      expect(unlisted).toEqual([]);
    });

    test("no example is listed without a difference, and none twice", () => {
      expect(new Set(listed).size).toBe(listed.length);
      const equal = examples.filter((example) => {
        const [ours, theirs] = bothReadings(example);
        return listed.includes(example.number) && ours === theirs;
      });
      expect(equal.map((example) => example.number)).toEqual([]);
    });

    test("those listed for looseness differ in nothing else", () => {
      const loose = new Set(differences.looseness?.examples);
      const others = examples.filter((example) => {
        const [ours, theirs] = bothReadings(example).map(withoutLooseness);
        return loose.has(example.number) && ours !== theirs;
      });
      expect(others.map((example) => example.number)).toEqual([]);
    });
  });
}
