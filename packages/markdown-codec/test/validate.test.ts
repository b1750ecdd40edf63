import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalize, parseMarkdown, validate } from "../src/index.ts";
import { schema } from "../src/schema.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { asDocument, type Json, nodesOf } from "./json.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { report, runs } from "./runs.ts";

const timeout = 600_000;
/** The types of all nodes, and one that none has. */
const types = [
  ..."doc paragraph heading blockquote bulletList orderedList listItem taskList taskItem codeBlock horizontalRule".split(
    " ",
  ),
  ..."table tableRow tableHeader tableCell footnoteDefinition footnoteReference hardBreak image text nonsense".split(
    " ",
  ),
  ..."rawBlock rawInline callout details blockMath inlineMath mention wikiLink".split(" "),
];

/** A document with one thing changed somewhere: a type, an attribute, a child more or less, a mark. */
const damaged = fc
  .tuple(
    ordinaryDocuments,
    fc.nat(),
    fc.constantFrom(...types),
    fc.constantFrom("type", "drop", "attrs", "mark", "swap", "none"),
  )
  .map(([doc, place, type, how]) => {
    const copy: { content: Json[] } = JSON.parse(JSON.stringify(normalize(doc).doc));
    const all = [...nodesOf(copy)].slice(1);
    const node = all[place % all.length];
    if (node) damage(node, type, how);
    return copy.content;
  });

function damage(node: Json, type: string, how: string): void {
  if (how === "type") node.type = type;
  if (how === "drop") node.content?.pop();
  if (how === "attrs") node.attrs = { ...node.attrs, level: 7, start: -1, checked: "yes", align: "top", label: "a b" };
  if (how === "mark") node.marks = [{ type: "bold" }];
  if (how === "swap") node.content?.reverse();
}

/** Returns whether prosemirror-model accepts the same JSON. */
function isAccepted(content: Json[]): boolean {
  try {
    schema.nodeFromJSON(asDocument(content)).check();
    return true;
  } catch {
    return false;
  }
}

describe("validate", () => {
  test("agrees with the ProseMirror schema of this package on damaged documents", { timeout }, () => {
    const chosen = runs(4_000);
    let refused = 0;
    fc.assert(
      fc.property(damaged, (content) => {
        const answer = validate(asDocument(content));
        expect(answer.ok, answer.ok ? "accepted" : JSON.stringify(answer.issues)).toBe(isAccepted(content));
        if (!answer.ok) refused += 1;
      }),
      chosen,
    );
    report(`validate beside the schema (${refused} refused)`, chosen);
    expect(refused).toBeGreaterThan(chosen.numRuns / 20);
  });

  test("accepts whatever parseMarkdown gives, unchanged", { timeout }, () => {
    fc.assert(
      fc.property(hostileTexts, (text) => {
        const doc = parseMarkdown(text);
        expect(validate(doc, { strict: true })).toEqual({ ok: true, doc });
      }),
      runs(3_000),
    );
  });

  test("accepts whatever normalize gives, unchanged", { timeout }, () => {
    fc.assert(
      fc.property(hostileDocuments, (doc) => {
        const normal = normalize(doc).doc;
        expect(validate(normal, { strict: true })).toEqual({ ok: true, doc: normal });
      }),
      runs(2_000),
    );
  });

  test("never throws, whatever it is given", { timeout }, () => {
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true }),
        (value) => {
          expect(validate(value).ok).toBe(false);
          expect(validate({ type: "doc", content: value }).ok).toBe(false);
          validate({
            type: "doc",
            content: [{ type: "paragraph", content: [{ type: "text", text: "a", marks: value }] }],
          });
          validate({ type: "doc", content: [{ type: "heading", attrs: value }] });
        },
      ),
      runs(3_000),
    );
  });

  test("completes attributes; leaves unknown ones out, and strict says so", () => {
    const json = { type: "doc", content: [{ type: "heading", attrs: { level: 2, textAlign: "left" } }] };
    expect(validate(json)).toEqual({
      ok: true,
      doc: { type: "doc", content: [{ type: "heading", attrs: { level: 2, id: null } }] },
    });
    expect(validate(json, { strict: true })).toMatchObject({
      ok: false,
      issues: [{ code: "INVALID_DOC", path: ["content", 0, "attrs", "textAlign"] }],
    });
  });

  test("a limit on nodes, characters or depth is an issue", () => {
    const doc = parseMarkdown("a\n\nb\n\n> - c");
    expect(validate(doc, { limits: { nodes: 3 } })).toMatchObject({ ok: false, issues: [{ code: "LIMIT" }] });
    expect(validate(doc, { limits: { bytes: 2 } })).toMatchObject({ ok: false, issues: [{ code: "LIMIT" }] });
    expect(validate(doc, { limits: { depth: 1 } })).toMatchObject({ ok: false, issues: [{ code: "NESTING" }] });
  });
});
