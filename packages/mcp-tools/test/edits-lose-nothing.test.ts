import { randomInt } from "node:crypto";
import { invoke } from "@kb/core";
import * as operations from "@kb/core/operations";
import fc from "fast-check";
import { type DocJSON, type NodeJSON, normalize, parseMarkdown, serializeMarkdown } from "markdown-codec";
import { documents } from "markdown-codec/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Assistant, type Desk, openDesk } from "./desk.ts";

/** KB_EDIT_DOCUMENTS=10000 pnpm vitest run packages/mcp-tools/test/edits-lose-nothing.test.ts is the long run. */
const numRuns = Number(process.env.KB_EDIT_DOCUMENTS ?? 50);
/** Calls with several edits are tried in fewer documents. */
const severalRuns = Math.ceil(numRuns / 3);
const seed = Number(process.env.KB_FUZZ_SEED ?? randomInt(2 ** 31));

const unique = "qzx unique words qzx";
const heading = (text: string): NodeJSON => ({
  type: "heading",
  attrs: { level: 1, id: null },
  content: [{ type: "text", text }],
});
const ending = parseMarkdown(`${unique}\n\nnote[^1]\n\n[^1]: the first note`).content;

/** One or two documents that nobody would write, each below a heading; then a text that occurs once, and a footnote. */
const generated = fc.array(documents, { minLength: 1, maxLength: 2 }).map((parts): DocJSON => {
  const content = parts.flatMap((part, index) => [heading(`Part ${index}`), ...part.content]);
  // The service refuses attributes that no reader gives, such as a mention of somebody without an id.
  return normalize({ type: "doc", content: [...content, ...ending] }).doc;
});

/** Inserted Markdown: its list, its fence and its footnote would reveal text that is joined wrongly. */
const markdown = "inserted *text*\n\n- one\n- two\n\n```js\nlet a;\n```\n\nend[^1]\n\n[^1]: a note";

/** A body as it is stored. */
type State = { readonly doc: DocJSON; readonly markdown: string };
/** The blocks that an edit replaces: from, and to (exclusive). */
type Range = readonly [from: number, to: number];
type Edit = { readonly tool: string; readonly input: object; readonly range: (doc: DocJSON) => Range };

const indexOf = (doc: DocJSON, text: string): number =>
  doc.content.findIndex((node) => node.content?.[0]?.text === text);

const edits: readonly Edit[] = [
  {
    tool: "replace_text",
    input: { oldText: "unique words", newText: "other" },
    range: (doc) => [indexOf(doc, unique), indexOf(doc, unique) + 1],
  },
  {
    tool: "insert_after_heading",
    input: { heading: " part 0", markdown },
    range: (doc) => [indexOf(doc, "Part 0") + 1, indexOf(doc, "Part 0") + 1],
  },
  { tool: "append_to_document", input: { markdown }, range: ({ content }) => [content.length, content.length] },
  { tool: "prepend_to_document", input: { markdown }, range: () => [0, 0] },
  {
    tool: "replace_section",
    input: { heading: "Part 0", markdown },
    range: (doc) => {
      const start = indexOf(doc, "Part 0") + 1;
      const next = doc.content.findIndex(
        (node, at) => at >= start && node.type === "heading" && node.attrs?.level === 1,
      );
      return [start, next === -1 ? doc.content.length : next];
    },
  },
];

describe("edits lose nothing", () => {
  let desk: Desk;
  let editor: Assistant;
  beforeAll(async () => {
    desk = await openDesk();
    editor = await desk.as(desk.world.people.editor);
  });
  afterAll(() => desk.close());

  const stored = async (id: string): Promise<State> => {
    const { service, people } = desk.world;
    const input = { id, format: "markdown", include: "content" };
    const found = await invoke(service, operations.getDocument, people.editor.actor, input);
    return { doc: asDocument(found.content), markdown: found.markdownText ?? "" };
  };
  const create = async (content: DocJSON): Promise<string> => {
    const { service, people, collections } = desk.world;
    const input = { collectionId: collections.open, content };
    return (await invoke(service, operations.createDocument, people.editor.actor, input)).id;
  };

  it(`each targeted edit leaves every other block of ${numRuns} documents as it was, node for node and byte for byte`, {
    meta: { proves: ["decision.tools.edits"] },
    timeout: 3_600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(generated, async (content) => {
        const id = await create(content);
        let before = await stored(id);
        for (const { tool, input, range } of edits) {
          const { code, text } = await editor.call(tool, { id, ...input });
          expect(code, text).toBeNull();
          const after = await stored(id);
          onlyChanged(tool, before, after, range(before.doc));
          before = after;
        }
      }),
      { numRuns, seed },
    );
    process.stdout.write(`edits lose nothing: ${numRuns} documents, KB_FUZZ_SEED=${seed}\n`);
  });

  it(`several edits in one call are made all or none in ${severalRuns} documents, and every other block stays`, {
    meta: { proves: ["decision.tools.edits"] },
    timeout: 3_600_000,
  }, async () => {
    const failing = fc.option(fc.integer({ min: 0, max: replacements.length }), { nil: undefined, freq: 2 });
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(generated, failing, async (content, place) => {
        const id = await create(content);
        const before = await stored(id);
        const edits = place === undefined ? replacements : replacements.toSpliced(place, 0, absent);
        const { code, text } = await editor.call("replace_text", { id, edits });
        const after = await stored(id);
        if (place === undefined) {
          expect(code, text).toBeNull();
          onlyReplaced(before.doc, after.doc);
        } else {
          failed += 1;
          expect(code).toBe("TEXT_NOT_FOUND");
          expect(after).toEqual(before);
        }
      }),
      { numRuns: severalRuns, seed },
    );
    process.stdout.write(
      `all or none: ${severalRuns} documents, ${failed} with an edit that fails, KB_FUZZ_SEED=${seed}\n`,
    );
  });
});

/** Two texts that occur once, and one that never does. */
const replacements = [
  { oldText: "unique words", newText: "*other* words" },
  { oldText: "the first note", newText: "the second note" },
];
const absent = { oldText: "qzx absent words qzx", newText: "x" };

/** Holds that the two texts are replaced, and that every block without one is the same node as before. */
function onlyReplaced(before: DocJSON, after: DocJSON): void {
  expect(after.content).toHaveLength(before.content.length);
  for (const [index, node] of before.content.entries()) {
    const text = JSON.stringify(node);
    if (replacements.every(({ oldText }) => !text.includes(oldText))) expect(after.content[index]).toEqual(node);
  }
  const whole = JSON.stringify(after);
  expect(whole).not.toMatch(/unique words|the first note/);
  expect(whole).toMatch(/"other"/);
  expect(whole).toMatch(/the second note/);
}

/** Holds that blocks outside of the range are the same nodes, and are written by the same bytes. */
function onlyChanged(tool: string, before: State, after: State, [from, to]: Range): void {
  const head = before.doc.content.slice(0, from);
  const tail = before.doc.content.slice(to);
  expect(after.doc.content.slice(0, from), tool).toEqual(head);
  expect(tail.length === 0 ? [] : after.doc.content.slice(-tail.length), tool).toEqual(tail);
  const start = writtenUpTo(before.doc, from).trimEnd();
  const end = before.markdown.slice(writtenUpTo(before.doc, to).length);
  expect(before.markdown.startsWith(start), tool).toBe(true);
  expect(after.markdown.startsWith(start), `${tool}\n${after.markdown}\nstarts with\n${start}`).toBe(true);
  expect(after.markdown.endsWith(end), `${tool}\n${after.markdown}\nends with\n${end}`).toBe(true);
}

/** The Markdown of the blocks before `index`, as the whole document has it. */
function writtenUpTo(doc: DocJSON, index: number): string {
  const mark = "MARK OF THE TEST";
  const content = [...doc.content.slice(0, index), heading(mark), ...doc.content.slice(index)];
  return serializeMarkdown({ type: "doc", content }).split(`# ${mark}\n`)[0] ?? "";
}

/** `content` of a stored document is what the codec made. */
function asDocument(content: unknown): DocJSON {
  return content as DocJSON;
}
