import { callerOf } from "@kb/core/testing";
import { expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, await world.session(world.people.editor));
const viewer = callerOf(world, await world.session(world.people.viewer));

const search = (input: object, who = editor) => who.run(operations.searchInApp, { limit: 25, ...input });

it("a hit has its path, its last change and the passage that was found", {
  meta: { proves: ["web.search"] },
}, async () => {
  const top = await editor.create({ title: "Animals", publish: true });
  const middle = await editor.create({ title: "Marsupials", publish: true, parentDocumentId: top.id });
  const text = "Feed the **wombat** at dusk.";
  const { id } = await editor.create({ title: "Care", text, publish: true, parentDocumentId: middle.id });
  const found = await search({ query: "wombat" });
  expect(found).toMatchObject({ total: 1, limit: 25, offset: 0, similar: false });
  expect(found.data).toEqual([
    expect.objectContaining({
      id,
      title: "Care",
      state: "published",
      collection: { id: world.collections.open, name: expect.any(String) },
      snippet: "Feed the <mark>wombat</mark> at dusk.",
      updatedAt: expect.any(String),
    }),
  ]);
  expect(found.data[0]?.path.map(({ title }) => title)).toEqual(["Animals", "Marsupials"]);
});

it("says when only similar words were found, and not when a filter left nothing", {
  meta: { proves: ["web.search"] },
}, async () => {
  const { id } = await editor.create({ title: "Bandicoot burrow", publish: true, tags: ["digging"] });
  const outcome = async (input: object) => {
    const { similar, data } = await search(input);
    return { similar, ids: data.map((hit) => hit.id) };
  };
  expect(await outcome({ query: "bandicoot" })).toEqual({ similar: false, ids: [id] });
  expect(await outcome({ query: "bandikoot" })).toEqual({ similar: true, ids: [id] });
  expect(await outcome({ query: "bandikoot", tag: "digging", status: "published" })).toEqual({
    similar: true,
    ids: [id],
  });
  expect(await outcome({ query: "bandicoot", tag: "flying" })).toEqual({ similar: false, ids: [] });
  expect(await outcome({ query: "bandikoot", status: "archived" })).toEqual({ similar: false, ids: [] });
});

it("a hidden document is no hit, and a hidden one above a hit is not in its path", {
  meta: { proves: ["web.search", "decision.api.hidden"] },
}, async () => {
  const draft = await editor.create({ title: "Quokka plans" });
  const { id } = await editor.create({ title: "Quokka facts", publish: true, parentDocumentId: draft.id });
  expect((await search({ query: "quokka" })).total).toBe(2);
  const seen = await search({ query: "quokka" }, viewer);
  expect(seen.data.map((hit) => [hit.id, hit.path])).toEqual([[id, []]]);
  expect(seen.total).toBe(1);
});
