import { sql } from "@kb/db";
import { parseMarkdown } from "markdown-codec";
import { expect, it } from "vitest";
import { createDocument } from "../documents/create.ts";
import { listDocuments } from "../documents/list.ts";
import { updateDocument } from "../documents/update.ts";
import { invoke } from "../invoke.ts";
import { testWorld } from "../testing/test-world.ts";
import { searchableAddresses } from "./addresses.ts";
import { indexOutdatedDocuments } from "./index-again.ts";
import { searchDocuments } from "./search.ts";

const { test, world } = await testWorld();

const editor = () => world.people.editor.actor;
const create = (text: string) =>
  invoke(world.service, createDocument, editor(), { collectionId: world.collections.open, text, publish: true });
const idsOf = async (query: string): Promise<string[]> =>
  (await invoke(world.service, searchDocuments, editor(), { query })).data.map(({ document }) => document.id ?? "");

it("the addresses of links and images are searchable without scheme, percent signs and ids", () => {
  const id = "01a20454-e05a-7677-ab0a-735fb1c85ac9";
  const text = `[a](https://www.example.org/caf%C3%A9/) [b](https://kb.example/documents/${id}) [c](mailto:ann@example.org)
![d](/files/abcdefghijklmnopqrstuvwxyz012345/plan.png) [e](https://example.org/100%25)`;
  expect(searchableAddresses(parseMarkdown(text))).toEqual([
    "example.org/café/",
    "ann@example.org",
    "plan.png",
    "example.org/100%",
  ]);
});

it("a word that occurs only in the address of a link is found", async () => {
  const { id } = await create("See [the guide](https://docs.example.org/en/guides/hydroponics/#lamps).");
  expect(await idsOf("hydroponics")).toEqual([id]);
  expect(await idsOf("hydropon")).toEqual([id]);
  expect(await idsOf('"guides hydroponics"')).toEqual([id]);
  expect(await idsOf("https")).toEqual([]);
});

it("a page is found by an address of its links as it is pasted, whether the text has it or not", async () => {
  const linked = await create("See [it](https://www.example.net/wiki/K%C3%B6ln?tab=map#sights).");
  const written = await create("Open https://www.example.net/wiki/Köln?tab=map#sights now.");
  const pasted = [
    "https://www.example.net/wiki/K%C3%B6ln?tab=map#sights",
    "http://example.net/wiki/Köln",
    "www.example.net",
  ];
  for (const query of [...pasted, '"https://www.example.net/wiki/Köln"', '"www.example.net/wiki"']) {
    expect((await idsOf(query)).sort(), query).toEqual([linked.id, written.id].sort());
  }
});

it("a page is found by an address with percent signs in its text or title", async () => {
  const address = "https://api.example.org/search?q=hello%20world";
  const written = await create(`Try it:

\`\`\`
curl ${address}
\`\`\`
`);
  const linked = await create(`See [it](${address}).`);
  for (const query of [address, `"${address}"`]) {
    expect((await idsOf(query)).sort(), query).toEqual([written.id, linked.id].sort());
  }
  const page = "https://example.org/wiki/K%C3%B6ln";
  const titled = await create(`# ${page}

A city.`);
  const mentioned = await create(`See [Köln](${page}), [Köln](${page}?again) and Köln.`);
  expect(await idsOf(page)).toEqual([titled.id, mentioned.id]);
});

it("a page is found by the address of its attachment as it is pasted", async () => {
  const { id } = await create("![Plan](/files/abcdefghijklmnopqrstuvwxyz012345/floor%20plan.png)");
  await create("Another floor.");
  expect(await idsOf("https://kb.example/files/abcdefghijklmnopqrstuvwxyz012345/floor%20plan.png")).toEqual([id]);
});

it("an excluded address excludes the pages in whose text it is written so", async () => {
  const written = await create("A capybara at www.example.com and elsewhere.");
  const other = await create("A capybara at example.com and [elsewhere](https://www.example.com/).");
  expect(await idsOf("capybara -www.example.com")).toEqual([other.id]);
  expect((await idsOf("capybara")).sort()).toEqual([written.id, other.id].sort());
});

it("a document with a word in its text comes before one with it only in an address", async () => {
  const linked = await create("See [it](https://example.org/marmoset).");
  const written = await create("A marmoset, and another marmoset.");
  await invoke(world.service, updateDocument, editor(), { id: linked.id, title: "Changed last" });
  expect(await idsOf("marmoset")).toEqual([written.id, linked.id]);
});

it("documents that an earlier release indexed are indexed again, with the same revision and time", async () => {
  const first = await create("See [it](https://example.org/aardvark).");
  const second = await create("See [it](https://example.org/aardvark).");
  await test.database.execute(sql`UPDATE document_bodies SET vector = ${"'it' 'see'"}::tsvector, folded = ' see it '
    WHERE "teamId" = ${world.teamId}::uuid AND "documentId" IN (${first.id}::uuid, ${second.id}::uuid)`);
  expect(await idsOf("aardvark")).toEqual([]);
  const changes = async () => (await invoke(world.service, listDocuments, editor(), { limit: 5 })).data;
  const before = await changes();

  expect(await indexOutdatedDocuments(world.service)).toBe(2);
  expect(await indexOutdatedDocuments(world.service)).toBe(0);
  expect((await idsOf("aardvark")).sort()).toEqual([first.id, second.id].sort());
  expect(await changes()).toEqual(before);
});
