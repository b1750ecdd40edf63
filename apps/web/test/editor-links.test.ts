import { beforeEach, expect, it, vi } from "vitest";
import { namesLike } from "../src/client/editor/emoji-source.ts";
import { addressIn, ownDocument } from "../src/client/editor/own-documents.ts";

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
