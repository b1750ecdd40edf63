import { type Sql, sql } from "@kb/db";
import { stepsBetween } from "@kb/live";
import fc from "fast-check";
import { type DocJSON, type NodeJSON, normalize, parseMarkdown } from "markdown-codec";
import { documents } from "markdown-codec/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { reading } from "../documents/body.ts";
import { storedJson } from "../documents/stored-json.ts";
import { realDocuments } from "../testing/real-documents.ts";
import { testWorld } from "../testing/test-world.ts";
import { idleAfterMs } from "../threads/free-memory.ts";
import { type DerivedBody, type DeriveInput, deriveAnew, LastDocument } from "./followed-document.ts";

const { test } = await testWorld();

const all = realDocuments().documents;
/** Forty of the real documents, in most languages. */
const real = all
  .filter((_, index) => index % Math.ceil(all.length / 40) === 0)
  .map(({ markdown }) => parseMarkdown(markdown, reading));

let heapInUse = 0;
afterEach(() => {
  vi.useRealTimers();
  heapInUse = 0;
});

const paragraph = (text: string): NodeJSON => ({ type: "paragraph", content: [{ type: "text", text }] });

/** A derived body with its content as a value: its spelling is another one. */
const comparable = ({ body, normalSteps }: DerivedBody) => ({
  body: { ...body, content: JSON.parse(body.content) as DocJSON },
  normalSteps,
});

const place = fc.nat({ max: 10_000 });
const blocks = fc.oneof(
  documents.map((doc) => normalize(doc).doc.content),
  fc.constantFrom(...real.map(({ content }) => content)),
);
/** A change of a document: another text in a block, and blocks that are moved, removed, repeated or added. */
const change = fc.oneof(
  fc.record({
    kind: fc.constant("type" as const),
    at: place,
    text: fc.constantFrom("x", " word", "的", "[^1]", "\t "),
  }),
  fc.record({ kind: fc.constant("move" as const), at: place, to: place }),
  fc.record({ kind: fc.constant("repeat" as const), at: place, to: place }),
  fc.record({ kind: fc.constant("remove" as const), at: place }),
  fc.record({ kind: fc.constant("add" as const), to: place, blocks: blocks.map((some) => some.slice(0, 5)) }),
);
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

function changed({ content }: DocJSON, one: Change): DocJSON {
  const list = [...content];
  const target = "to" in one ? one.to % (list.length + 1) : 0;
  if (one.kind === "add") list.splice(target, 0, ...one.blocks);
  else {
    const at = one.at % list.length;
    const block = list[at];
    if (block === undefined) throw new Error("a document has a block");
    if (one.kind === "type") list[at] = withText(block, one.text);
    else {
      if (one.kind !== "repeat" && list.length > 1) list.splice(at, 1);
      if (one.kind !== "remove") list.splice(target, 0, block);
    }
  }
  return { type: "doc", content: list };
}

/** Adds a text at the end of the first paragraph or heading within a block. */
function withText(block: NodeJSON, text: string): NodeJSON {
  const { type, content = [] } = block;
  if (type === "paragraph" || type === "heading") return { ...block, content: [...content, { type: "text", text }] };
  const [head, ...others] = content;
  return head === undefined ? block : { ...block, content: [withText(head, text), ...others] };
}

describe("a document that a thread derives again", () => {
  it("is what is derived anew, whatever is changed from one version to the next", () => {
    const labels = { title: "A title", tags: ["tag"] };
    fc.assert(
      fc.property(
        blocks,
        fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 10 }),
        (first, versions) => {
          const last = new LastDocument(() => heapInUse);
          let saved = normalize({ type: "doc", content: structuredClone(first) }).doc;
          for (const changes of versions) {
            const steps = stepsBetween(saved, changes.reduce(changed, saved));
            // As a process reads it from the database: a text of its own.
            const content = Buffer.from(storedJson(saved)).toString();
            const input = { id: "one", log: { content, batches: steps === null ? [] : [steps] }, labels };
            const derived = last.derive(input);
            expect(comparable(derived)).toEqual(comparable(deriveAnew(input)));
            saved = JSON.parse(derived.body.content);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  const labels = { title: "", tags: [] };
  const typed = (text: string): string =>
    JSON.stringify([{ stepType: "replace", from: 1, to: 1, slice: { content: [{ type: "text", text }] } }]);
  const inputOf = (content: string, ...batches: string[]): DeriveInput => ({
    id: "one",
    log: { content, batches },
    labels,
  });
  const first = storedJson({ type: "doc", content: [paragraph("one"), paragraph("two")] });
  const spelled = (content: string): string => storedJson(JSON.parse(content));

  it("is derived from the content that is given, whichever was derived before", () => {
    const last = new LastDocument(() => heapInUse);
    last.derive(inputOf(first));
    const second = last.derive(inputOf(first, typed("a"))).body.content;
    const third = last.derive(inputOf(second, typed("b"))).body.content;
    // A restored backup, the same version again, and another text.
    for (const content of [first, third, second, first, storedJson({ type: "doc", content: [paragraph("other")] })]) {
      const input = inputOf(content, typed("c"), typed("d"));
      expect(comparable(last.derive(input))).toEqual(comparable(deriveAnew(input)));
    }
  });

  /** Derives the next version; returns its content and whether the one before was read as a whole. */
  function next(last: LastDocument, content: string, id = "one", text = "a") {
    const parse = vi.spyOn(JSON, "parse");
    const derived = last.derive({ ...inputOf(content, typed(text)), id });
    const isRead = parse.mock.calls.some(([given]) => given === content);
    parse.mockRestore();
    return { content: spelled(derived.body.content), isRead };
  }

  let count = 0;
  /** A document that is kept, with its content, which no other one has. */
  function kept(text = "a") {
    const last = new LastDocument(() => heapInUse);
    count += 1;
    const own = storedJson({ type: "doc", content: [paragraph(`document ${count}`)] });
    const { content } = next(last, next(last, own, "one", text).content, "one", text);
    return { last, content };
  }

  it("is read from memory from the third time on, in normal form or not", () => {
    for (const text of ["a", "\u00a0 ", " "]) {
      const { last, content } = kept(text);
      const { content: after, isRead } = next(last, content, "one", text);
      expect([isRead, next(last, after, "one", text).isRead]).toEqual([false, false]);
    }
  });

  it("is forgotten for another document, for a task, and when it is idle", () => {
    const other = kept();
    next(other.last, first, "two");
    expect(next(other.last, other.content).isRead).toBe(true);
    const cleared = kept();
    cleared.last.forget();
    expect(next(cleared.last, cleared.content).isRead).toBe(true);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const idle = kept();
    vi.advanceTimersByTime(idleAfterMs - 1);
    const { content, isRead } = next(idle.last, idle.content);
    vi.advanceTimersByTime(idleAfterMs + 1);
    expect([isRead, next(idle.last, content).isRead]).toEqual([false, true]);
  });

  it("is not kept where it is very large, or where little room is left in the heap", () => {
    const last = new LastDocument(() => heapInUse);
    let content = storedJson({ type: "doc", content: [paragraph("one"), paragraph("x".repeat(3_000_000))] });
    for (let time = 0; time < 3; time += 1) {
      const after = next(last, content);
      expect(after.isRead).toBe(true);
      content = after.content;
    }
    const full = kept();
    heapInUse = 200 * 1024 ** 2;
    expect(next(full.last, full.content).isRead).toBe(true);
  });
});

describe("the JSON of a stored document", () => {
  const spelledByDatabase = async (json: string): Promise<string> => {
    const statement: Sql = sql`SELECT ${json}::jsonb::text AS text`;
    const [row] = await test.database.rows<{ text: string }>(statement);
    return row?.text ?? "";
  };

  it("is spelled as the database spells it", async () => {
    const hard = paragraph('\u0001\u001f\u007f\u2028"\\/\b\f\n\r\tß😀');
    const mixed: DocJSON = { type: "doc", content: [hard, { type: "image", attrs: { b: 1.5, aa: [], a: null } }] };
    const some = [...real, ...fc.sample(documents, 60).map((doc) => normalize(doc).doc), mixed];
    for (const doc of some) expect(await spelledByDatabase(JSON.stringify(doc))).toBe(storedJson(doc));
  });
});
