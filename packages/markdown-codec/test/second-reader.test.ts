import { mistakesList } from "@kb/testing/renderers";
import spec from "commonmark-spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DocJSON, type NodeJSON, normalize, parseMarkdown, serializeMarkdown } from "../src/index.ts";
import { corpusName, realFiles } from "./corpus.ts";
import { nodesOf } from "./json.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { documentReading } from "./read-document.ts";
import { mdastReading } from "./read-mdast.ts";
import { report, runs } from "./runs.ts";

const unknownToGfm = new Set(["underline", "highlight", "subscript", "superscript"]);
const tag = /<\/?(?:u|ins|s|strong|em|mark|sub|sup|br)>/;

/** The document without what GFM has no syntax for: those marks, and ids of headings. */
function withinGfm(node: NodeJSON): NodeJSON {
  const { marks, content, attrs, ...rest } = node;
  const kept = (marks ?? []).filter((mark) => !unknownToGfm.has(mark.type));
  return {
    ...rest,
    ...(attrs ? { attrs: node.type === "heading" ? { ...attrs, id: null } : attrs } : {}),
    ...(kept.length > 0 ? { marks: kept } : {}),
    ...(content ? { content: content.map(withinGfm) } : {}),
  };
}

/** True where the document has HTML right after a list, which readers disagree on. */
function holdsTight(node: NodeJSON): boolean {
  return node.attrs?.tight === true || (node.content ?? []).some(holdsTight);
}

/**
 * True where the document has a construct whose source means something else to a reader that does not know it, or a reference
 * to a footnote within one, which is compared without the rest of the document.
 */
function holdsUnknown(node: NodeJSON): boolean {
  const types = [...nodesOf(node)].map(({ type }) => type);
  const isApart = node.type === "callout" || node.type === "details";
  if (types.some((type) => type === "wikiLink" || type === "inlineMath")) return true;
  return (isApart && types.includes("footnoteReference")) || (node.content ?? []).some(holdsUnknown);
}

/** Compares the two readers on what we write for `doc`; false where the output needs a tag, which GFM does not read. */
function isReadAlike(doc: DocJSON): boolean {
  const normal = normalize({ type: "doc", content: doc.content.map(withinGfm) }).doc;
  const markdown = serializeMarkdown(normal);
  if (holdsTight(normal) || holdsUnknown(normal) || mistakesList(markdown)) return false;
  if (tag.test(markdown.replaceAll(/\\</g, ""))) return false;
  expect(mdastReading(markdown), markdown).toEqual(documentReading(normal));
  return true;
}

describe("remark with GFM reads our output as the same document", () => {
  test("documents that people write", { timeout: 3_600_000 }, () => {
    const chosen = runs(2_000);
    let compared = 0;
    fc.assert(
      fc.property(ordinaryDocuments, (doc) => {
        if (isReadAlike(doc)) compared += 1;
      }),
      chosen,
    );
    report(`second reader (${compared} without a tag)`, chosen);
    expect(compared).toBeGreaterThan(chosen.numRuns / 2);
  });

  test("the examples of CommonMark", () => {
    const compared = spec.tests.filter((example) => isReadAlike(parseMarkdown(example.markdown.replaceAll("→", "\t"))));
    expect(compared.length).toBeGreaterThan(600);
  });

  const files = realFiles().filter((_, index, all) => index % Math.ceil(all.length / 150) === 0);
  test(`${files.length} files spread over ${corpusName(realFiles().length)}`, { timeout: 600_000 }, () => {
    const compared = files.filter((file) => isReadAlike(parseMarkdown(file.text)));
    expect(compared.length).toBeGreaterThan(files.length / 2);
  });
});
