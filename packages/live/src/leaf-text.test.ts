import { parseMarkdown } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import type { Node } from "prosemirror-model";
import { Transform } from "prosemirror-transform";
import { describe, expect, it } from "vitest";
import { rebase } from "./rebase.ts";
import { openSessionWorld } from "./testing/session-world.ts";

type Change = (transform: Transform) => Transform;

const page = "one\n\n<div>raw</div>\n\ntwo\n";
/** The position of the raw block of the page. */
const raw = 5;
const doc: Node = schema.nodeFromJSON(parseMarkdown(page));
const write =
  (source: string): Change =>
  (transform) =>
    transform.setNodeAttribute(raw, "source", source);

/** Rebases a change onto another one that was accepted before it. */
function later(first: Change, second: Change) {
  const since = first(new Transform(doc));
  return rebase(since.doc, second(new Transform(doc)).steps, since.steps);
}

function sourcesIn(node: Node): readonly unknown[] {
  const found: unknown[] = [];
  node.descendants(({ attrs }) => void (attrs.source !== undefined && found.push(attrs.source)));
  return found;
}

describe("the source of a raw block", () => {
  it("that was written while others deleted the block is returned as an orphan, once for all of its keys", () => {
    const result = later(
      (transform) => transform.delete(raw, raw + 1),
      (transform) => write("<p>ab</p>")(write("<p>a</p>")(transform)),
    );
    expect(result).toMatchObject({ steps: [], orphans: ["<p>ab</p>"] });
  });

  it("that others wrote stays, and what was written without having seen it is returned as an orphan", () => {
    const result = later(write("<p>first</p>"), write("<p>late</p>"));
    expect([sourcesIn(result.doc), result.orphans]).toEqual([["<p>first</p>"], ["<p>late</p>"]]);
  });

  it("that others wrote survives a deletion of the block by somebody who had not seen it", () => {
    const result = later(write("<p>new</p>"), (transform) => transform.delete(0, doc.content.size - 1));
    expect(sourcesIn(result.doc)).toEqual(["<p>new</p>"]);
  });

  it("is what its author gets of one that was inserted where others deleted", () => {
    const leaf = schema.node("rawInline", { kind: "html", source: "<br>" });
    const result = later(
      (transform) => transform.delete(0, raw),
      (transform) => transform.insert(2, leaf),
    );
    expect(result.orphans).toEqual(["<br>"]);
  });

  it("that was written offline is kept for its author where others deleted the block", async () => {
    const { connect, pass, service } = await openSessionWorld(page);
    const ada = await connect("Ada");
    const bob = await connect("Bob");
    ada.network.isOffline = true;
    for (const source of ["<p>a</p>", "<p>ab</p>"]) {
      ada.session.dispatch(ada.session.state.tr.setNodeAttribute(raw, "source", source));
    }
    bob.session.dispatch(bob.session.state.tr.delete(raw, raw + 1));
    await pass();
    ada.network.isOffline = false;
    await pass(60_000);
    expect([ada.session.status.kind, sourcesIn(service.doc), ada.session.orphans]).toEqual([
      "saved",
      [],
      ["<p>ab</p>"],
    ]);
  });

  it("is kept for its author where the right to write ends", async () => {
    const { connect, pass, service } = await openSessionWorld(page);
    const { session } = await connect("Ada");
    service.canWrite = false;
    session.dispatch(session.state.tr.setNodeAttribute(raw, "source", "<p>mine</p>"));
    await pass();
    expect([sourcesIn(session.state.doc), session.orphans]).toEqual([["<div>raw</div>"], ["<p>mine</p>"]]);
  });
});
