import { describe, expect, it } from "vitest";
import { LiveDocument } from "./live-document.ts";
import { ReplayedDocuments } from "./replayed-documents.ts";

const document = LiveDocument.read(JSON.stringify({ type: "doc", content: [{ type: "paragraph" }] }));

/** Keeps logs of so many characters each, and returns the numbers of those that are still known. */
function keptOf(sizes: readonly number[]): readonly number[] {
  const documents = new ReplayedDocuments();
  const contents = sizes.map((size, index) => String(index).padEnd(size));
  for (const content of contents) documents.keep({ content, batches: [], document });
  return contents.flatMap((content, index) => (documents.find(content, []) === undefined ? [] : index));
}

describe("the replayed documents", () => {
  it("are the last 32", () => {
    expect(keptOf(Array(34).fill(20_000))).toEqual(Array.from({ length: 32 }, (_, index) => index + 2));
  });

  it("are fewer where their logs are large, so that threads do not fill with them", () => {
    expect(keptOf(Array(32).fill(200_000))).toEqual([29, 30, 31]);
    expect(keptOf([...Array(32).fill(20_000), 200_000])).toHaveLength(23);
  });

  it("count a log once, however often it grew", () => {
    const documents = new ReplayedDocuments();
    const other = { content: "other", batches: [], document };
    documents.keep(other);
    const batches = ["x".repeat(100_000)];
    for (let times = 0; times < 40; times += 1) documents.keep({ content: "", batches, document });
    expect(documents.find("other", [])).toBe(other);
  });
});
