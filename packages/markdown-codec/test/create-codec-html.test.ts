import { describe, expect, test } from "vitest";
import type { DocJSON, NodeJSON } from "../src/index.ts";
import { holdsForDocument } from "./laws.ts";
import { ownCodec, ownCodecWithHtml } from "./own-codec.ts";

const paragraph = (...content: NodeJSON[]): NodeJSON => ({ type: "paragraph", content });
const date: NodeJSON = { type: "date", attrs: { day: "2026-11-23" } };
const secret: NodeJSON = { type: "text", text: "secret", marks: [{ type: "spoiler" }] };
const cell = (colspan: number, ...content: NodeJSON[]): NodeJSON => ({
  type: "tableCell",
  attrs: { colspan, rowspan: 1, colwidth: null, align: null },
  content,
});
const embed: NodeJSON = { type: "embed", attrs: { address: "https://example.org/" } };
const figure: NodeJSON = { type: "figure", attrs: { caption: "Map" }, content: [paragraph(date)] };
const text = (words: string): NodeJSON => ({ type: "text", text: words });
const centered = (...content: NodeJSON[]): NodeJSON => ({ ...paragraph(...content), attrs: { textAlign: "center" } });
const wide = (colspan: number): NodeJSON => ({
  type: "table",
  content: [{ type: "tableRow", content: [cell(colspan, paragraph(secret), paragraph(date))] }],
});
const doc = (...content: NodeJSON[]): DocJSON => ({ type: "doc", content });
const given: DocJSON = {
  type: "doc",
  content: [
    {
      type: "table",
      content: [
        { type: "tableRow", content: [cell(2, paragraph(secret, date), embed)] },
        { type: "tableRow", content: [cell(1, figure), cell(1, paragraph({ type: "text", text: "a" }))] },
      ],
    },
    { ...paragraph(date), attrs: { textAlign: "center" } },
    paragraph({ type: "image", attrs: { src: "/a", alt: "b", title: null, width: 120, height: null } }),
  ],
};

describe("nodes and marks of an integrator together with HTML", () => {
  test("stand in cells with spans and blocks, and in aligned text, and come back from their Markdown", () => {
    const { markdown } = holdsForDocument(given, {}, {}, ownCodecWithHtml);
    expect(ownCodecWithHtml.normalize(given)).toEqual({ doc: given, changes: [] });
    expect(markdown).toBe(`<table>
<tr>
<td colspan="2">

%%secret%%{{2026-11-23}}

@@ https://example.org/

</td>
</tr>
<tr>
<td>

:::figure[Map]

{{2026-11-23}}

:::

</td>
<td>

a

</td>
</tr>
</table>

<div align="center">

{{2026-11-23}}

</div>

<img src="/a" alt="b" width="120">
`);
    expect(ownCodecWithHtml.serializeMarkdown(given, { strict: true })).toBe(markdown);
  });

  test("are valid in strict mode, fit the schema, and are shown with their own HTML", () => {
    expect(ownCodecWithHtml.validate(given, { strict: true })).toMatchObject({ ok: true });
    expect(ownCodecWithHtml.schema.nodeFromJSON(given).firstChild?.firstChild?.firstChild?.childCount).toBe(2);
    const wrong = { ...given, content: [{ ...paragraph(date), attrs: { textAlign: "up" } }] };
    expect(ownCodecWithHtml.validate(wrong)).toMatchObject({
      ok: false,
      issues: [{ path: ["content", 0, "attrs", "textAlign"] }],
    });
    const shown = ownCodecWithHtml.toHtml(given);
    expect(shown).toContain('<td colspan="2">');
    expect(shown).toContain('<p align="center"><time datetime="2026-11-23">');
  });

  test("edits keep the table as it is, and change what a cell has", () => {
    const appended = ownCodecWithHtml.append(given, "End {{2026-11-24}}");
    expect(appended.content.slice(0, -1)).toEqual(given.content);
    const replaced = ownCodecWithHtml.replaceText(given, "secret", "known");
    expect(replaced.content[0]?.type).toBe("table");
    expect(ownCodecWithHtml.serializeMarkdown(replaced)).toContain("%%known%%{{2026-11-23}}");
    expect(ownCodecWithHtml.diff(given, replaced)).toContain("+%%known%%{{2026-11-23}}");
  });

  test("are normalised with a report where the codec has no HTML", () => {
    const { changes } = ownCodec.normalize(given);
    expect(changes.length).toBeGreaterThan(0);
    expect(() => ownCodec.serializeMarkdown(given, { strict: true })).toThrow(
      expect.objectContaining({ code: "UNSUPPORTED" }),
    );
  });

  test("report losses at their place in the document that was given", () => {
    const colored = { ...given, content: [{ ...paragraph(date), attrs: { textAlign: "center", color: "red" } }] };
    expect(ownCodecWithHtml.normalize(colored).changes).toMatchObject([{ path: ["content", 0] }]);
  });
});

describe("merging what is written as HTML", () => {
  const { merge, normalize, parseMarkdown, serializeMarkdown, validate } = ownCodecWithHtml;

  test("tells the place of a conflict in the merged document, where a table is one block", () => {
    const [base, mine, theirs] = ["a cat sat", "a dog sat", "a fox sat"].map((words) => paragraph(text(words), date));
    if (!base || !mine || !theirs) throw new Error("no versions");
    expect(merge(doc(wide(2), base), doc(wide(2), mine), doc(wide(2), theirs))).toEqual({
      doc: doc(wide(2), mine, theirs),
      conflicts: [{ path: [1], base, mine, theirs }],
    });
  });

  test("keeps both versions of a table whose first cell both sides gave another width, each of them whole", () => {
    const merged = merge(doc(wide(2)), doc(wide(3)), doc(wide(4)));
    expect(merged).toEqual({
      doc: doc(wide(3), wide(4)),
      conflicts: [{ path: [0], base: wide(2), mine: wide(3), theirs: wide(4) }],
    });
    expect(validate(merged.doc, { strict: true })).toMatchObject({ ok: true });
    expect(normalize(merged.doc)).toEqual({ doc: merged.doc, changes: [] });
    expect(parseMarkdown(serializeMarkdown(merged.doc))).toEqual(merged.doc);
  });

  test("keeps all blocks of a cell where both sides changed one of them", () => {
    const table = (first: string, second: string): NodeJSON => ({
      type: "table",
      content: [{ type: "tableRow", content: [cell(1, paragraph(text(first)), paragraph(text(second)))] }],
    });
    const merged = merge(doc(table("a", "b")), doc(table("a c", "b")), doc(table("a", "b d")));
    expect(merged.doc).toEqual(doc(table("a c", "b"), table("a", "b d")));
    expect(merged.conflicts).toHaveLength(1);
  });

  test("makes the alignment of one side and the words of the other", () => {
    const merged = merge(doc(paragraph(text("one two"))), doc(centered(text("one two"))), doc(paragraph(text("one"))));
    expect(merged).toEqual({ doc: doc(centered(text("one"))), conflicts: [] });
    const [base, mine, theirs] = ["a cat", "a dog", "a fox"].map((words) => centered(text(words), date));
    if (!base || !mine || !theirs) throw new Error("no versions");
    expect(merge(doc(embed, base), doc(embed, mine), doc(embed, theirs))).toEqual({
      doc: doc(embed, mine, theirs),
      conflicts: [{ path: [1], base, mine, theirs }],
    });
  });
});
