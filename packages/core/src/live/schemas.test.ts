import { schemaVersion } from "@kb/live";
import { describe, expect, it } from "vitest";
import { callerOf, outcomeOf } from "../testing/caller.ts";
import { insertedText, LiveClient } from "../testing/live-client.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);
/** An instance of the next release, whose schema knows more. */
const next = { ...world, service: { ...world.service, schemaVersion: schemaVersion + 1 } };

/** Returns a page of this release with a document that it has opened, and the same page as the next release hears it. */
async function opened() {
  const { id } = await editor.create({ text: "one", publish: true });
  const page = new LiveClient(world, world.people.editor, id);
  const { lineage } = await page.open();
  const atNext = new LiveClient(next, world.people.editor, id);
  const batch = page.batch([insertedText(1, "zero ")]);
  return { id, page, atNext, lineage, batch };
}

const textOf = async (id: string) => (await editor.get(id, { format: "markdown" })).markdownText;

describe("while instances and pages of two releases are in use", () => {
  it("a batch of a page with an older schema is refused, which asks it to reload, and changes nothing", async () => {
    const { id, page, atNext, batch } = await opened();
    await expect(atNext.send(batch)).rejects.toMatchObject({
      code: "schema_ahead",
      message: "This page is outdated. Reload it.",
    });
    expect((await page.batches()).batches).toEqual([]);
    expect(await textOf(id)).toBe("one\n");
  });

  it("a batch of a page with a newer schema is to be sent again, and an instance of its release accepts the same bytes", async () => {
    const { id, page, atNext, batch } = await opened();
    const newer = { ...batch, schema: schemaVersion + 1 };
    await expect(page.send(newer)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
    expect(await textOf(id)).toBe("one\n");
    expect(await atNext.send(newer)).toEqual({ version: 1, accepted: "same", orphans: [] });
    expect(await textOf(id)).toBe("zero one\n");
  });

  it("a retry of a batch that was accepted before the update is answered, so that its page knows that it is stored", async () => {
    const { page, atNext, batch } = await opened();
    const answer = await page.send(batch);
    expect(await atNext.send(batch)).toEqual(answer);
    const second = { ...batch, seq: 2, base: 1 };
    expect(await outcomeOf(atNext.send(second))).toBe("schema_ahead");
  });

  it("a document tells with which schema it was read", async () => {
    const { page, atNext } = await opened();
    expect(await page.open()).toMatchObject({ schema: schemaVersion });
    expect(await atNext.open()).toMatchObject({ schema: schemaVersion + 1 });
  });
});
