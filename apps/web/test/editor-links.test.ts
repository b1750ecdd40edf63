import { serializeMarkdown } from "markdown-codec";
import { EditorState, Selection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { beforeEach, expect, it, vi } from "vitest";
import { namesLike } from "../src/client/editor/emoji-source.ts";
import { addressIn, linkDocument } from "../src/client/editor/own-documents.ts";
import { schema } from "../src/client/editor/schema.ts";
import { trackingPlaces } from "../src/client/editor/tracked-places.ts";
import { ownDocument } from "../src/client/reading/own-document.ts";

const answers = vi.hoisted(() => new Map<string, Promise<{ title: string }>>());
vi.mock("../src/client/api/call.ts", () => ({ call: (_name: string, given: { id: string }) => answers.get(given.id) }));

const origin = "https://kb.example";
const id = "019a5c3e-7d1f-7a2b-8c4d-0123456789ab";

beforeEach(() => {
  vi.stubGlobal("location", { origin });
});

it("an address of a document of ours has its id, and is stored without the name of the site", () => {
  expect(ownDocument(`${origin}/documents/${id}`, origin)).toEqual({ id, href: `/documents/${id}` });
  expect(ownDocument(`${origin}/documents/${id}?edit=true#part`, origin)?.href).toBe(`/documents/${id}#part`);
  for (const other of [`https://other.example/documents/${id}`, `${origin}/documents/x`, `${origin}/search`, "::"]) {
    expect(ownDocument(other, origin), other).toBeNull();
  }
});

it.each([
  ["example.org/a", "https://example.org/a"],
  ["https://example.org", "https://example.org"],
  ["mailto:ada@example.org", "mailto:ada@example.org"],
  [`${origin}/documents/${id}`, `/documents/${id}`],
  [`/documents/${id}`, `/documents/${id}`],
  ["#part", "#part"],
  ["Plan", null],
  ["Plan: the rest", null],
  ["javascript:alert(1)", null],
  ["JaVaScRiPt:alert(1)", null],
  ["data:text/html,x", null],
  ["", null],
])("%j is the address %j", (text, address) => {
  expect(addressIn(text)).toBe(address);
});

it("emoji are found by their names, then by the words in them", () => {
  const names = ["heart_eyes", "broken_heart", "heart", "hearts", "smile"];
  expect(namesLike("heart", names)).toEqual(["heart", "heart_eyes", "hearts", "broken_heart"]);
  expect(namesLike("xyz", names)).toEqual([]);
});

it("the link that was pasted gets the title, wherever it is meanwhile, and no other link with the same address", async () => {
  const href = `/documents/${id}`;
  const address = `${origin}${href}`;
  const old = schema.text(address, [schema.mark("link", { href })]);
  const doc = schema.node("doc", null, [schema.node("paragraph", null, [old]), schema.node("paragraph")]);
  const view = {
    state: EditorState.create({ doc, plugins: [trackingPlaces()] }),
    isDestroyed: false,
    composing: false,
    dispatch: (transaction: EditorState["tr"]): void => {
      view.state = view.state.apply(transaction);
    },
  };
  const { promise, resolve } = Promise.withResolvers<{ title: string }>();
  answers.set(id, promise);
  view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)));
  // What links uses this part of a view.
  const linked = linkDocument(view as unknown as EditorView, { id, href }, address);
  view.dispatch(view.state.tr.insertText("Theirs ", 1));
  resolve({ title: "Plan" });
  await linked;
  expect(serializeMarkdown(view.state.doc.toJSON())).toBe(`Theirs [${address}](${href})\n\n[Plan](${href})\n`);
});
