import { describe, expect, it } from "vitest";
import { callerOf } from "../testing/caller.ts";
import { insertedText, LiveClient } from "../testing/live-client.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const typist = world.people.editor;
const reader = callerOf(world, typist);
const assistant = callerOf(world, world.people.admin);

/** A change of an assistant, and what the document lacks or has after it. */
const changes = {
  "appends to it": (id: string) => assistant.edit(id, { op: "append", markdown: "appended" }),
  "replaces a section": (id: string) =>
    assistant.edit(id, { op: "replace_section", heading: "Last", markdown: "replaced" }),
  "restores a revision": (id: string) => assistant.restoreRevision(id, 1),
};

const markdownOf = async (id: string) => (await reader.get(id, { format: "markdown" })).markdownText ?? "";
const text = "# First\n\nold\n\n# Last\n\nend";

describe("while a person types in a document, an assistant", () => {
  it.each(Object.entries(changes))(
    "%s: the change is undone by itself, and nothing that was typed is lost",
    async (_name, change) => {
      const { id } = await reader.create({ text, publish: true });
      const client = new LiveClient(world, typist, id);
      await client.open();
      await client.type("Ada ");
      const before = await markdownOf(id);
      const { revision } = await change(id);
      const changed = await markdownOf(id);
      expect(changed).not.toBe(before);
      // Typed before the change has reached the typist.
      await client.push([insertedText(5, "too ")]);
      expect(await markdownOf(id)).toContain("too ");
      await assistant.restoreRevision(id, revision);
      expect(await markdownOf(id)).toBe(changed);
      await assistant.restoreRevision(id, revision - 1);
      expect(await markdownOf(id)).toBe(before);
      await client.push([insertedText(1, "Still here. ")], { base: 1 });
      expect(await markdownOf(id)).toContain("Still here. ");
    },
  );

  it("appends, replaces a section and restores a revision: the history says who did what, each in an entry of its own", async () => {
    const { id } = await reader.create({ text, publish: true });
    const client = new LiveClient(world, typist, id);
    await client.open();
    const typed: string[] = [];
    for (const [index, change] of Object.values(changes).entries()) {
      const piece = `[${index}]`;
      // Nothing of the log is read in between: each batch is rebased onto what the assistant has changed.
      await client.push([insertedText(1, piece)]);
      typed.push(piece);
      await change(id);
    }
    await client.push([insertedText(1, "[last]")]);
    await reader.get(id);
    const { data } = await reader.revisions(id);
    const person = typist.actor.userId;
    const helper = world.people.admin.actor.userId;
    expect(data.map((entry) => [entry.credentialKind, entry.author?.id])).toEqual([
      ["live", person],
      ["api_key", helper],
      ["live", person],
      ["api_key", helper],
      ["live", person],
      ["api_key", helper],
      ["live", person],
      ["api_key", person],
    ]);
    // The restored revision is from before all that was typed; the revision just before it has that.
    const [, , lastTyped] = data;
    const kept = (await reader.revision(id, lastTyped?.revision ?? 0)).markdownText?.replaceAll("\\", "") ?? "";
    for (const piece of typed) expect(kept).toContain(piece);
    expect((await markdownOf(id)).replaceAll("\\", "")).toContain("[last]");
    // The batches of the typist and those of the assistant's changes are the log, in turns.
    const { batches } = await client.batches();
    expect(batches.map(({ kind }) => kind)).toEqual([
      "session",
      "api_key",
      "session",
      "api_key",
      "session",
      "api_key",
      "session",
    ]);
  });
});
