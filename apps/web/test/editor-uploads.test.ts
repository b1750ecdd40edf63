import { serializeMarkdown } from "markdown-codec";
import type { Node } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { expect, it } from "vitest";
import { kindOfFile } from "../src/client/editor/file-type.ts";
import { insertUpload, placeForFile } from "../src/client/editor/insert-upload.ts";
import { schema } from "../src/client/editor/schema.ts";
import { trackingPlaces, trackPlace } from "../src/client/editor/tracked-places.ts";
import { placedUploads, withUploads } from "../src/client/editor/upload-state.ts";
import { UploadStore } from "../src/client/editor/upload-store.ts";
import { pastedFiles, uploading } from "../src/client/editor/uploads.ts";

const nothing = (): void => undefined;
const paragraph = (text: string): Node => schema.node("paragraph", null, text === "" ? [] : [schema.text(text)]);
const docOf = (...texts: readonly string[]): Node => schema.node("doc", null, texts.map(paragraph));
/** It is never shown here. */
const element = {} as HTMLElement;

/** A view without a page, with files on their way to places. */
function viewWith(doc: Node, places: Readonly<Record<string, number>>) {
  const plugin = uploading({ documentId: "", uploads: new UploadStore(), editImage: nothing, sayMissing: nothing });
  const view = {
    state: EditorState.create({ doc, plugins: [plugin, trackingPlaces()] }),
    editable: true,
    dispatch: (transaction: EditorState["tr"]): void => {
      view.state = view.state.apply(transaction);
    },
  };
  const placed = Object.entries(places).map(([id, position]) => ({ id, position, element }));
  view.dispatch(withUploads(view.state.tr, () => placed));
  return view;
}

type View = ReturnType<typeof viewWith>;

/** Puts a picture, or a file, where it belongs; returns the Markdown of what is there then. */
function put(view: View, id: string, { isPicture = true, later = [] as readonly string[] } = {}): string {
  const file = { url: `https://kb.example/${id}`, name: `${id}.pdf`, isPicture };
  // What is tested uses this part of a view.
  expect(insertUpload(view as unknown as EditorView, id, file, later)).toBe(true);
  return serializeMarkdown(view.state.doc.toJSON());
}

const picture = "![](https://kb.example/a)";

it.each([
  ["an empty paragraph", docOf("Above", ""), 8, `Above\n\n${picture}\n`],
  ["the middle of a text", docOf("Text", "Below"), 3, `Text\n\n${picture}\n\nBelow\n`],
  [
    "code",
    schema.node("doc", null, [schema.node("codeBlock", null, [schema.text("a")])]),
    2,
    `\`\`\`\na\n\`\`\`\n\n${picture}\n`,
  ],
  [
    "a cell",
    schema.node("doc", null, [
      schema.node("table", null, [schema.node("tableRow", null, [schema.node("tableHeader", null, [paragraph("x")])])]),
    ]),
    5,
    `| x${picture} |\n| --- |\n`,
  ],
])("a picture for %s stands there or below it", (_name, doc, position, markdown) => {
  expect(put(viewWith(doc, { a: position }), "a")).toBe(markdown);
});

it("any other file is a link in the text", () => {
  expect(put(viewWith(docOf("See "), { a: 5 }), "a", { isPicture: false })).toBe("See [a.pdf](https://kb.example/a)\n");
});

it("files that belong to one place stand in their order, and move with what others write", () => {
  const view = viewWith(docOf("Text"), { a: 3, b: 3 });
  view.dispatch(view.state.tr.insertText("Theirs. ", 1));
  put(view, "a", { later: ["b"] });
  expect(placedUploads(view.state).map(({ id }) => id)).toEqual(["b"]);
  expect(put(view, "b")).toBe("Theirs. Text\n\n![](https://kb.example/a)\n\n![](https://kb.example/b)\n");
});

it("a file whose block is deleted meanwhile still has a place, and one in a document that may not be written has none", () => {
  const view = viewWith(docOf("One", "Two"), { a: 7 });
  view.dispatch(view.state.tr.delete(5, 10));
  expect(put(view, "a")).toBe(`One\n\n${picture}\n`);
  const closed = { ...viewWith(docOf("One"), { a: 1 }), editable: false };
  const file = { url: "https://kb.example/a", name: "a", isPicture: true };
  expect(insertUpload(closed as unknown as EditorView, "a", file, [])).toBe(false);
});

it.each([
  ["a.png", "image/png", "\x89PNG\r\n\x1a\n", { contentType: "image/png", isPicture: true }],
  ["a.jpg", "image/jpeg", "\x89PNG\r\n\x1a\n", { contentType: "image/png", isPicture: true }],
  ["a", "", "GIF89a", { contentType: "image/gif", isPicture: true }],
  ["a.svg", "image/svg+xml", "<svg>", { contentType: "image/svg+xml", isPicture: false }],
  ["a.pdf", "application/pdf", "%PDF", { contentType: "application/pdf", isPicture: false }],
  ["a", "", "anything", { contentType: "application/octet-stream", isPicture: false }],
  ["a.png", "image/png", "<script>", null],
])("%s of the type %j is what its bytes show", async (name, type, bytes, kind) => {
  const file = new File([Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))], name, { type });
  expect(await kindOfFile(file)).toEqual(kind);
});

it.each([
  ["", 1],
  ['<meta charset="utf-8"><img src="https://example.org/a.png" alt="">', 1],
  ["<table><tr><td>1</td></tr></table>", 0],
  ['<p>Text <img src="a"></p>', 0],
])("with the HTML %j a paste has %d files", (html, count) => {
  const data = { files: [new File(["x"], "a.png")], getData: () => html } as unknown as DataTransfer;
  expect(pastedFiles(data)).toHaveLength(count);
});

it("a file that is dropped between the cells of a table stands in the cell before", () => {
  const cell = (text: string): Node => schema.node("tableHeader", null, [paragraph(text)]);
  const table = schema.node("table", null, [schema.node("tableRow", null, [cell("a"), cell("b")])]);
  const doc = schema.node("doc", null, [table, paragraph("Below")]);
  for (const between of [1, 2, 7, 12, 13]) {
    const place = doc.resolve(placeForFile(doc, between));
    expect(place.parent.isTextblock, `${between}`).toBe(true);
  }
  expect(put(viewWith(doc, { a: 7 }), "a")).toBe(`| a${picture} | b |\n| --- | --- |\n\nBelow\n`);
});

it("a place moves with what others write while something loads, and with the text around it", () => {
  const view = viewWith(docOf("Above", "Below"), {});
  const shown = view as unknown as EditorView;
  const point = trackPlace(shown, 10);
  const word = trackPlace(shown, 8, 13);
  view.dispatch(view.state.tr.insertText("Theirs. ", 1));
  expect(point.now()).toMatchObject({ from: 18, to: 18 });
  expect(word.now()).toMatchObject({ from: 16, to: 21 });
  view.dispatch(view.state.tr.insertText("!", 21).insertText("?", 16));
  expect(word.now()).toMatchObject({ from: 17, to: 22 });
  view.dispatch(view.state.tr.delete(17, 22));
  expect(word.now()).toMatchObject({ from: 17, to: 17 });
  word.end();
  expect(word.now()).toBeNull();
});
