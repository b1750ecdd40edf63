import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  type DocJSON,
  normalize,
  parseMarkdown,
  serializeMarkdown,
  toHtml,
  toPlainText,
  validate,
} from "../src/index.ts";

/** A body that the release before raw constructs, callouts and formulas stored, with its HTML and text of that time. */
type StoredBody = { readonly name: string; readonly content: DocJSON; readonly html: string; readonly text: string };

const bodies: readonly StoredBody[] = JSON.parse(
  readFileSync(new URL("./fixtures/stored-bodies.json", import.meta.url), "utf8"),
);

describe("bodies that an earlier release stored", () => {
  it("are valid, and shown and read as they were", () => {
    expect(bodies.length).toBeGreaterThan(10);
    for (const { name, content, html, text } of bodies) {
      expect(validate(content, { strict: true }), name).toMatchObject({ ok: true });
      expect(toHtml(content), name).toBe(html);
      expect(toPlainText(content), name).toBe(text);
    }
  });

  it("lose nothing when they are normalized and written: the text stays the same", () => {
    for (const { name, content, text } of bodies) {
      const { doc, changes } = normalize(content);
      expect(changes, name).toEqual([]);
      expect(toPlainText(doc), name).toBe(text);
      expect(toPlainText(parseMarkdown(serializeMarkdown(content))), name).toBe(text);
    }
  });
});
