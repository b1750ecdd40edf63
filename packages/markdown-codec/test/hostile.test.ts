import { growthLimit, growths, threadMs } from "@kb/testing/growth";
import { describe, expect, test } from "vitest";
import {
  CodecError,
  normalize,
  outline,
  parseMarkdown,
  serializeMarkdown,
  toHtml,
  toPlainText,
  validate,
} from "../src/index.ts";
import { RAW_BLOCKS, RAW_INLINES } from "../src/raw.ts";
import { hostileInputs } from "../src/testing.ts";
import { asDocument, type Json, nodesOf } from "./json.ts";
import { refusable, workOrRefusal } from "./work-or-refusal.ts";

const timeout = 600_000;
/** The whole way of a document through the service: read, written, shown, searched. */
const bound1MBms = 5_000;

function wholeWay(text: string): void {
  const doc = parseMarkdown(text);
  serializeMarkdown(doc);
  toHtml(doc);
  toPlainText(doc);
  outline(doc);
}

/** Processor milliseconds of one call, its own refusal included. */
function onceMs(work: () => void): number {
  const start = threadMs();
  workOrRefusal(work);
  return threadMs() - start;
}

describe("hostile input", () => {
  test("there are at least 88 kinds", () => {
    expect(new Set(hostileInputs.map((input) => input.name)).size).toBeGreaterThanOrEqual(88);
  });

  test("the kinds hold every raw construct", () => {
    const found = new Set<unknown>();
    for (const { make } of hostileInputs) {
      workOrRefusal(() => {
        const nodes = nodesOf(parseMarkdown(make(1_000)));
        for (const { type, attrs } of nodes) if (type.startsWith("raw")) found.add(`${type} ${attrs?.kind}`);
      });
    }
    const blocks = RAW_BLOCKS.map((kind) => `rawBlock ${kind}`);
    const inlines = RAW_INLINES.map((kind) => `rawInline ${kind}`);
    expect([...blocks, ...inlines].filter((name) => !found.has(name))).toEqual([]);
  });

  test.for(hostileInputs)(
    "$name: from 10 to 20 to 40 kB time grows at most 2.6 times per doubling",
    { timeout },
    (input) => {
      const works = [10_000, 20_000, 40_000].map((bytes) => {
        const text = input.make(bytes);
        return () => wholeWay(text);
      });
      for (const step of growths(works.map(refusable), 40)) expect(step).toBeLessThanOrEqual(growthLimit);
    },
  );

  const every = process.env.KB_FUZZ_RUNS ? 1 : 8;
  const large = hostileInputs.filter((_, index) => index % every === 3 % every);
  test.for(large)("$name: 1 MB takes less than 5 s to read", { timeout }, (input) => {
    const text = input.make(1_000_000);
    expect(onceMs(() => void parseMarkdown(text))).toBeLessThan(bound1MBms);
  });

  test("what a reference expands to is bounded, and too much of it is LIMIT or text, never gigabytes", () => {
    const text = `[a]: /${"u".repeat(20_000)}\n\n${"[a] ".repeat(20_000)}`;
    let size = 0;
    try {
      size = JSON.stringify(parseMarkdown(text)).length;
    } catch (error) {
      expect(error).toMatchObject({ name: "CodecError", code: "LIMIT" });
    }
    expect(size).toBeLessThan(text.length * 20);
  });
});

/** A node of `depth` levels, built without recursion. */
function deepNode(depth: number, types: string[]): Json {
  let node: Json = { type: "paragraph" };
  for (let level = 0; level < depth; level += 1) {
    const inner = types.at(-1 - (level % types.length)) ?? "";
    node = { type: inner, content: inner.endsWith("Item") ? [{ type: "paragraph" }, node] : [node] };
  }
  return node;
}

describe("hostile JSON", () => {
  test.for([["blockquote"], ["bulletList", "listItem"]])(
    "10,000 levels of %s are an issue, not a stack overflow",
    (types) => {
      const answer = validate(asDocument([deepNode(10_000, types)]));
      expect(answer.ok).toBe(false);
      expect(answer.ok ? [] : answer.issues.map((issue) => issue.code)).toContain("NESTING");
    },
  );

  test("10,000 levels of what is no document are issues too, at most 100", () => {
    for (const types of [["nonsense"], ["bulletList"], ["text"], ["table", "tableRow"]]) {
      const answer = validate(asDocument([deepNode(10_000, types)]));
      expect(answer.ok ? 0 : answer.issues.length).toBeGreaterThan(0);
      expect(answer.ok ? 0 : answer.issues.length).toBeLessThanOrEqual(100);
    }
  });

  test("a document of that depth is refused with a CodecError wherever a document is taken", () => {
    const deep = asDocument([deepNode(10_000, ["blockquote"])]);
    for (const use of [normalize, serializeMarkdown, toHtml, toPlainText, outline]) {
      expect(() => use(deep), use.name).toThrow(CodecError);
    }
  });

  test.for<[string, unknown]>([
    ["null", null],
    ["a string", "doc"],
    ["an array", []],
    ["a number", 7],
    ["nothing", undefined],
    ["another root", { type: "paragraph" }],
    ["no content", { type: "doc" }],
    ["empty content", { type: "doc", content: [] }],
    ["text at the top", { type: "doc", content: [{ type: "text", text: "a" }] }],
    ["an unknown node", { type: "doc", content: [{ type: "video" }] }],
    ["an unknown mark", paragraphOf({ type: "text", text: "a", marks: [{ type: "blink" }] })],
    ["empty text", paragraphOf({ type: "text", text: "" })],
    ["text that is a number", paragraphOf({ type: "text", text: 1 })],
    ["content that is text", { type: "doc", content: "a" }],
    ["level 99", { type: "doc", content: [{ type: "heading", attrs: { level: 99 } }] }],
    ["a list without items", { type: "doc", content: [{ type: "bulletList", content: [] }] }],
    ["a paragraph in a list", { type: "doc", content: [{ type: "bulletList", content: [{ type: "paragraph" }] }] }],
    ["an address that runs", paragraphOf(linked("javascript:alert(1)"))],
    ["a prototype for a type", { type: "doc", content: [{ type: "__proto__" }] }],
    ["constructor for a type", { type: "doc", content: [{ type: "constructor" }] }],
    ["a prototype for a mark", paragraphOf({ type: "text", text: "a", marks: [{ type: "toString" }] })],
  ])("%s is an issue with a path, and nothing is thrown", ([, json]) => {
    const answer = validate(json);
    expect(answer.ok).toBe(false);
    expect(answer.ok ? [] : answer.issues).not.toHaveLength(0);
    for (const issue of answer.ok ? [] : answer.issues) {
      expect(issue).toMatchObject({ code: expect.any(String), path: expect.any(Array), message: expect.any(String) });
    }
  });

  test("a getter that throws and a cycle are issues too", () => {
    const throwing = {
      type: "doc",
      get content(): unknown {
        throw new Error("no");
      },
    };
    const cycle: { type: string; content: unknown[] } = { type: "doc", content: [] };
    cycle.content.push({ type: "blockquote", content: cycle.content });
    expect(validate(throwing).ok).toBe(false);
    expect(validate(cycle).ok).toBe(false);
  });

  test("at most 100 issues are listed", () => {
    const answer = validate({ type: "doc", content: Array.from({ length: 5_000 }, () => ({ type: "video" })) });
    expect(answer.ok ? 0 : answer.issues.length).toBe(100);
  });
});

function paragraphOf(node: unknown): unknown {
  return { type: "doc", content: [{ type: "paragraph", content: [node] }] };
}

function linked(href: string): unknown {
  return { type: "text", text: "a", marks: [{ type: "link", attrs: { href, title: null } }] };
}
