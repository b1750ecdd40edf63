import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emojiNames } from "../src/emoji.ts";
import { type DocJSON, normalize, parseMarkdown, serializeMarkdown } from "../src/index.ts";
import * as onDemand from "../src/on-demand.ts";
import { cases, documents, texts } from "../src/testing.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { isRefused } from "./refused.ts";
import { report, runs } from "./runs.ts";

const timeout = 3_600_000;

// Names of emoji, names of none, and what only looks like a name.
const shortcodes = fc.array(
  fc.oneof(
    fc.constantFrom(...emojiNames().keys()).map((name) => `:${name}:`),
    fc.constantFrom(":none:", ":", "\\:tada:", "`:tada:`", ":ta\u0007da:", "10:100:20", "https://e.com/:x:", "&#58;x:"),
    fc.constantFrom("a", " ", "\n", "**", "|", "[", "](u)", "日本"),
  ),
  { maxLength: 12 },
);

/** What a call gives, or the message of its error. */
async function outcome<Result>(call: () => Result | Promise<Result>): Promise<Result | string> {
  try {
    return await call();
  } catch (error) {
    if (!isRefused(error)) throw error;
    return error.message;
  }
}

/** Holds that the entry reads a text as the main entry does, and writes what both read as the same document. */
async function isAlike(text: string): Promise<void> {
  const doc = await outcome(() => parseMarkdown(text));
  expect(await outcome(() => onDemand.parseMarkdown(text))).toEqual(doc);
  if (typeof doc !== "string") await survives(doc);
}

async function survives(doc: DocJSON): Promise<void> {
  const markdown = onDemand.serializeMarkdown(doc);
  expect(parseMarkdown(markdown)).toEqual(doc);
  expect(await onDemand.parseMarkdown(markdown)).toEqual(doc);
  expect(onDemand.serializeMarkdown(parseMarkdown(markdown))).toBe(markdown);
}

describe("the entry that loads emoji on demand", () => {
  test("reads every text as the main entry does, and the laws hold", { timeout }, async () => {
    for (const [name, values, count] of [
      ["shortcodes on demand", shortcodes.map((parts) => parts.join("")), 2_000],
      ["hostile texts on demand", hostileTexts, 2_000],
      ["texts on demand", texts, 1_000],
    ] as const) {
      const chosen = runs(count);
      await fc.assert(fc.asyncProperty(values, isAlike), chosen);
      report(name, chosen);
    }
  });

  test("writes every document so that it survives", { timeout }, async () => {
    for (const values of [hostileDocuments, documents]) {
      const chosen = runs(500);
      const check = async (given: DocJSON): Promise<void> => {
        const doc = await outcome(() => normalize(given).doc);
        if (typeof doc !== "string") await survives(doc);
      };
      await fc.assert(fc.asyncProperty(values, check), chosen);
      report("documents on demand", chosen);
    }
  });

  test.for([...cases])("reads the hand-written case $name", ({ markdown }) => isAlike(markdown));

  test("reads all names, and writes a text that looks like one so that it stays text", async () => {
    for (const [name, emoji] of emojiNames()) {
      const doc = await onDemand.parseMarkdown(`a :${name}:`);
      expect(doc.content[0]?.content?.[0]?.text).toBe(`a ${emoji}`);
    }
    const doc = parseMarkdown("\\:tada: and :none:\n");
    expect(onDemand.serializeMarkdown(doc)).toBe("\\:tada: and \\:none:\n");
    expect(serializeMarkdown(doc)).toBe("\\:tada: and :none:\n");
  });

  test("loads the names when a text has one, and not before", { timeout: 60_000 }, () => {
    const entry = pathToFileURL(join(import.meta.dirname, "../src/on-demand.ts")).href;
    const code = `
import { registerHooks } from "node:module";
const loaded = [];
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
const { parseMarkdown, serializeMarkdown } = await import(${JSON.stringify(entry)});
const isLoaded = () => loaded.some((url) => url.endsWith("/emoji-table.ts"));
serializeMarkdown(await parseMarkdown("# 10:30:45 \\\\:tada 🎉"));
const before = isLoaded();
const [paragraph] = (await parseMarkdown("a :tada:")).content;
console.log(before, isLoaded(), paragraph.content[0].text);`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", code], { encoding: "utf8" });
    expect(printed).toBe("false true a 🎉\n");
  });

  test("refuses what is no text as the main entry does", async () => {
    const wrong: string = JSON.parse("5");
    await expect(onDemand.parseMarkdown(wrong)).rejects.toMatchObject({ name: "CodecError", code: "INVALID_DOC" });
  });
});
