import { LiveDocument } from "@kb/live";
import { describe, expect, it } from "vitest";
import {
  catchUp,
  type KeptDocument,
  KeptDocuments,
  type NewerBatch,
  nameOfBatch,
  oldestNeeded,
} from "./kept-documents.ts";

const key = { teamId: "team", documentId: "document" };
const lineage = "log";
const at = new Date("2026-11-23T12:00:00Z");

const typed = (text: string): string =>
  JSON.stringify([{ stepType: "replace", from: 1, to: 1, slice: { content: [{ type: "text", text }] } }]);

/** The batch of a version, which inserts its number. */
const batch = (version: number, fields: Partial<NewerBatch> = {}): NewerBatch => ({
  version,
  clientId: "client",
  seq: version,
  at: new Date(at.getTime() + version),
  steps: typed(`${version}`),
  ...fields,
});

const paragraph = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "." }] }] };

/** A document that was kept after the batches 1 to `version`. */
function keptAt(version: number, fields: Partial<KeptDocument> = {}): KeptDocument {
  const batches = Array.from({ length: version }, (_, index) => batch(index + 1));
  const document = LiveDocument.read(JSON.stringify(paragraph)).after(batches.map(({ steps }) => steps ?? "[]"));
  const last = batches.at(-1);
  const lastBatch = last === undefined ? null : nameOfBatch(last);
  return { lineage, version, savedVersion: 0, lastBatch, document, characters: 100, ...fields };
}

const head = (version: number) => ({ lineage, version, savedVersion: 0, oldestVersion: 0 });

/** The text of a kept document at the head of its log, whose batches from `oldestNeeded` on were read; null if it cannot serve. */
function textAt(
  kept: KeptDocument,
  version: number,
  { base = version, log = batch }: { base?: number; log?: typeof batch } = {},
) {
  const from = Math.max(1, oldestNeeded(kept, base));
  const newer = Array.from({ length: Math.max(0, version - from + 1) }, (_, index) => log(from + index));
  const found = catchUp(kept, head(version), newer, base);
  if (found === undefined) return null;
  const { content = [] } = found.document.toContent();
  return { text: content[0]?.content?.[0]?.text, since: found.since };
}

describe("a kept document", () => {
  it("is the document of the head: with the batches that other instances have added", () => {
    expect(textAt(keptAt(0), 0)).toEqual({ text: ".", since: [] });
    expect(textAt(keptAt(3), 3)).toEqual({ text: "321.", since: [] });
    expect(textAt(keptAt(2), 5)).toEqual({ text: "54321.", since: [] });
  });

  it("has the steps since the base of a late batch, also those that it contains", () => {
    expect(textAt(keptAt(3), 5, { base: 1 })).toEqual({
      text: "54321.",
      since: [2, 3, 4, 5].map((n) => typed(`${n}`)),
    });
    expect(textAt(keptAt(3), 3, { base: 0 })).toEqual({ text: "321.", since: [1, 2, 3].map((n) => typed(`${n}`)) });
  });

  it("serves no other log, and none that is behind it, such as a restored one", () => {
    expect(textAt(keptAt(3, { lineage: "other" }), 3)).toBeNull();
    expect(textAt(keptAt(3), 2)).toBeNull();
  });

  it("serves no log that has another batch of its version, whatever makes that differ", () => {
    for (const fields of [{ clientId: "other" }, { seq: 9 }, { at }]) {
      const log = (version: number): NewerBatch => batch(version, version === 3 ? fields : {});
      expect(textAt(keptAt(3), 3, { log })).toBeNull();
      expect(textAt(keptAt(3), 5, { log })).toBeNull();
    }
  });

  it("serves no log of which a batch is missing, or was not read", () => {
    const newer = [batch(3), batch(5)];
    expect(catchUp(keptAt(3), head(5), newer, 5)).toBeUndefined();
    expect(catchUp(keptAt(3), head(5), [batch(4), batch(5)], 5)).toBeUndefined();
    expect(catchUp(keptAt(3), head(4), [batch(3), batch(4, { steps: null })], 4)).toBeUndefined();
    // The batch that names its version needs no steps.
    expect(catchUp(keptAt(3), head(4), [batch(3, { steps: null }), batch(4)], 4)).toBeDefined();
  });

  it("serves no log whose newer batches together mark more than the event loop has time for", () => {
    const marks = JSON.stringify(
      Array.from({ length: 6 }, (_, n) => ({
        stepType: n % 2 ? "removeMark" : "addMark",
        mark: { type: "bold" },
        from: 1,
        to: 2_001,
      })),
    );
    const kept = keptAt(0, {
      document: LiveDocument.read(JSON.stringify(paragraph)).after([typed("x".repeat(2_000))]),
    });
    const log = (version: number): NewerBatch => batch(version, { steps: marks });
    expect(textAt(kept, 1, { log })).not.toBeNull();
    expect(textAt(kept, 2, { log })).toBeNull();
  });

  it("that is too large for the event loop serves nothing", () => {
    expect(textAt(keptAt(3, { document: null }), 3)).toBeNull();
  });
});

describe("the kept documents", () => {
  const other = (documentId: string, teamId = "team") => ({ documentId, teamId });
  const small = { ...keptAt(0), characters: 100 };

  it("are found by team and document", () => {
    const documents = new KeptDocuments();
    documents.keep(key, small);
    expect(documents.find(key)).toMatchObject(small);
    expect(documents.find(other("document", "other"))).toBeUndefined();
    expect(documents.find(other("other"))).toBeUndefined();
    documents.forget(key);
    expect(documents.find(key)).toBeUndefined();
  });

  it("count the text that others added, no envelope of a step, and less after a deletion", () => {
    const kept = keptAt(1, { characters: 10_000 });
    const charactersOf = (steps: string) => catchUp(kept, head(2), [batch(1), batch(2, { steps })], 1)?.characters;
    expect(charactersOf(typed("x"))).toBe(10_001);
    expect(charactersOf(typed("x".repeat(5_000)))).toBe(15_000);
    expect(charactersOf(JSON.stringify([{ stepType: "replace", from: 1, to: 2 }]))).toBe(9_999);
  });

  it("take no more than their bytes, twice the characters of each; those that were not used for longest go first", () => {
    const documents = new KeptDocuments({ most: 600 });
    for (const id of ["a", "b", "c"]) documents.keep(other(id), small);
    documents.find(other("a"));
    documents.keep(other("d"), small);
    const kept = ["a", "b", "c", "d"].filter((id) => documents.find(other(id)) !== undefined);
    expect(kept).toEqual(["a", "c", "d"]);
  });

  it("count a document once, however often it is kept, and keep none that is too large", () => {
    const documents = new KeptDocuments({ most: 600 });
    documents.keep(other("a"), small);
    for (let times = 0; times < 10; times += 1) documents.keep(other("b"), small);
    documents.keep(other("c"), { ...small, characters: 301 });
    const kept = ["a", "b", "c"].filter((id) => documents.find(other(id)) !== undefined);
    expect(kept).toEqual(["a", "b"]);
  });

  it("are forgotten five minutes after their last use", () => {
    let now = 0;
    const documents = new KeptDocuments({ now: () => now });
    documents.keep(other("a"), small);
    documents.keep(other("b"), small);
    now = 4 * 60_000;
    documents.find(other("a"));
    now = 6 * 60_000;
    documents.keep(other("c"), small);
    const kept = ["a", "b", "c"].filter((id) => documents.find(other(id)) !== undefined);
    expect(kept).toEqual(["a", "c"]);
  });
});
