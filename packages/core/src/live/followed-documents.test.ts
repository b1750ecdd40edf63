import { type Sql, sql } from "@kb/db";
import { contentOf, stepsBetween } from "@kb/live";
import fc from "fast-check";
import { type DocJSON, type NodeJSON, normalize, parseMarkdown } from "markdown-codec";
import { documents } from "markdown-codec/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bodyOf, reading } from "../documents/body.ts";
import { storedJson } from "../documents/stored-json.ts";
import { realDocuments } from "../testing/real-documents.ts";
import { testWorld } from "../testing/test-world.ts";
import { idleAfterMs } from "../threads/free-memory.ts";
import { type DerivedBody, type DeriveInput, FollowedDocuments } from "./followed-documents.ts";

const { test } = await testWorld();

const all = realDocuments().documents;
/** Forty of the real documents, in most languages. */
const real = all
  .filter((_, index) => index % Math.ceil(all.length / 40) === 0)
  .map(({ markdown }) => parseMarkdown(markdown, reading));

afterEach(() => vi.useRealTimers());

const paragraph = (text: string): NodeJSON => ({ type: "paragraph", content: [{ type: "text", text }] });

/** Derives a body without anything that is known. */
function anew({ log, labels }: DeriveInput): DerivedBody {
  const written = contentOf(log);
  const normal = normalize(written).doc;
  return {
    body: bodyOf(normal, labels),
    normalSteps: normal === written ? null : stepsBetween(written, normal),
  };
}

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

describe("followed documents", () => {
  it("derive what is derived anew, whatever is changed from one version to the next", () => {
    const labels = { title: "A title", tags: ["tag"] };
    fc.assert(
      fc.property(
        blocks,
        fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 10 }),
        (first, versions) => {
          const followed = new FollowedDocuments(1_000_000);
          let saved = normalize({ type: "doc", content: structuredClone(first) }).doc;
          for (const changes of versions) {
            const steps = stepsBetween(saved, changes.reduce(changed, saved));
            // As a process reads it from the database: a text of its own.
            const content = Buffer.from(storedJson(saved)).toString();
            const input = { log: { content, batches: steps === null ? [] : [steps] }, labels };
            const derived = followed.derive(input);
            expect(comparable(derived)).toEqual(comparable(anew(input)));
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
  const inputOf = (content: string, ...batches: string[]): DeriveInput => ({ log: { content, batches }, labels });
  const first = storedJson({ type: "doc", content: [paragraph("one"), paragraph("two")] });

  it("are derived from the content that is given, whichever was derived before", () => {
    const followed = new FollowedDocuments(1_000_000);
    const second = followed.derive(inputOf(first, typed("a"))).body.content;
    const third = followed.derive(inputOf(second, typed("b"))).body.content;
    // A restored backup, the same version again, and another document.
    for (const content of [first, third, second, first, storedJson({ type: "doc", content: [paragraph("other")] })]) {
      const input = inputOf(content, typed("c"), typed("d"));
      expect(comparable(followed.derive(input))).toEqual(comparable(anew(input)));
    }
  });

  it("read a document that goes on from what they derived, and only that, from memory", () => {
    const followed = new FollowedDocuments(1_000);
    const parse = vi.spyOn(JSON, "parse");
    const readsOf = (content: string): boolean => {
      parse.mockClear();
      followed.derive(inputOf(content, typed("a")));
      return parse.mock.calls.some(([text]) => text === content);
    };
    const next = (content: string): string => anew(inputOf(content, typed("a"))).body.content;
    const spelled = (content: string): string => storedJson(JSON.parse(content));
    const second = spelled(next(first));
    expect(readsOf(first)).toBe(true);
    expect(readsOf(second)).toBe(false);
    const third = spelled(next(second));
    // A document beyond the bound is not kept, and one takes the place of the other.
    const long = storedJson({ type: "doc", content: [paragraph("x".repeat(800))] });
    expect(readsOf(long)).toBe(true);
    expect(readsOf(third)).toBe(true);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const idle = new FollowedDocuments(1_000);
    const kept = idle.derive(inputOf(first, typed("a"))).body.content;
    vi.advanceTimersByTime(idleAfterMs + 1);
    parse.mockClear();
    idle.derive(inputOf(kept, typed("a")));
    expect(parse.mock.calls.some(([text]) => text === kept)).toBe(true);
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
