import { parseMarkdown } from "markdown-codec";
import { Slice } from "prosemirror-model";
import { EditorState, TextSelection } from "prosemirror-state";
import { describe, expect, it, vi } from "vitest";
import { markdownOf, prepare } from "../src/client/editor/copied-markdown.ts";
import { schema } from "../src/client/editor/schema.ts";

const stateOf = (markdown: string): EditorState =>
  EditorState.create({ doc: schema.nodeFromJSON(parseMarkdown(markdown)) });

/** Returns what is copied from the beginning of one text to the end of another. */
function copied(markdown: string, first: string, last: string): string {
  const { doc } = stateOf(markdown);
  const places: { [text: string]: number } = {};
  doc.descendants((node, position) => {
    for (const text of [first, last]) {
      const index = node.isText ? (node.text?.indexOf(text) ?? -1) : -1;
      if (index >= 0) places[text] ??= position + index;
    }
  });
  return markdownOf(TextSelection.create(doc, places[first] ?? 0, (places[last] ?? 0) + last.length).content());
}

describe("what is copied as text", () => {
  it.each([
    ["a heading and a list", "# One\n\n- a\n- **b**\n\nTwo", "One", "Two", "# One\n\n- a\n- **b**\n\nTwo"],
    ["words of a paragraph with marks", "One **two** three", "two", "three", "**two** three"],
    ["words without marks, without a sign before any", "Run rm *.ts_ now", "rm", "*.ts_", "rm *.ts_"],
    ["a part of a heading, without its signs", "# One two", "two", "two", "two"],
    ["a part of code as it is", "```sh\na * b\nc_d_\n```", "a *", "c_d", "a * b\nc_d"],
    ["some items of a list", "- a\n- b\n- c", "b", "c", "- b\n- c"],
    ["a word of an item, without the list", "- a\n- b", "b", "b", "b"],
    ["tasks", "- [x] a\n- [ ] b", "a", "b", "- [x] a\n- [ ] b"],
    [
      "a table",
      "x\n\n| a | b |\n| :-- | --- |\n| 1 | 2 |\n\ny",
      "x",
      "y",
      "x\n\n| a | b |\n| :-- | --- |\n| 1 | 2 |\n\ny",
    ],
    ["paragraphs of a quote", "> a\n>\n> b", "a", "b", "> a\n>\n> b"],
    ["a link in a line", "See [it](/a) now", "See", "now", "See [it](/a) now"],
    ["code and text", "Text\n\n```ts\nx\n```\n\nend", "Text", "end", "Text\n\n```ts\nx\n```\n\nend"],
  ])("is Markdown: %s", (_name, markdown, first, last, text) => {
    expect(copied(markdown, first, last)).toBe(text);
  });

  it("reads back as what was copied", () => {
    const markdown =
      "# One\n\n- a\n  - b\n\n1. c\n\n> **d** *e* ~~f~~ ==g== H~2~O x^2^\n\n| a | b |\n| --- | --: |\n| `1` | 2 |\n\n---\n\n```js\nx\n```\n\n![p](/a.png)\n";
    const { doc } = stateOf(markdown);
    const text = markdownOf(new Slice(doc.content, 0, 0));
    expect(schema.nodeFromJSON(parseMarkdown(text)).eq(doc)).toBe(true);
  });

  it("of a picture alone is the picture", () => {
    const { doc } = stateOf("![p](/a.png)");
    expect(markdownOf(new Slice(doc.child(0).content, 0, 0))).toBe("![p](/a.png)");
  });

  it("that is long is written while the selection stands, and not again by the key that copies", () => {
    vi.useFakeTimers();
    const { doc } = stateOf("Some **bold** words.\n\n".repeat(4_000));
    const selection = TextSelection.create(doc, 1, doc.content.size - 1);
    const state = EditorState.create({ doc, selection });
    prepare({ state, isDestroyed: false } as never);
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    const slice = selection.content();
    const toJSON = vi.spyOn(Object.getPrototypeOf(doc), "toJSON");
    expect(markdownOf(slice).split("\n\n")).toHaveLength(4_000);
    expect(toJSON).not.toHaveBeenCalled();
    const other = TextSelection.create(doc, 1, doc.content.size - 30).content();
    expect(markdownOf(other).split("\n\n").length).toBeLessThan(4_000);
    expect(toJSON).toHaveBeenCalled();
    toJSON.mockRestore();
  });
});
