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
