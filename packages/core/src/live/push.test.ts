import { sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../errors.ts";
import { callerOf, outcomeOf, unknownId } from "../testing/caller.ts";
import { insertedText, LiveClient } from "../testing/live-client.ts";
import { testWorld } from "../testing/test-world.ts";
import { StepShapes } from "./step-shapes.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, world.people.editor);

async function opened(text: string, person = world.people.editor) {
  const { id } = await editor.create({ text, publish: true });
  const client = new LiveClient(world, person, id);
  await client.open();
  return { id, client };
}

const markdownOf = async (id: string) => (await editor.get(id, { format: "markdown" })).markdownText;

describe("a batch", () => {
  it("is in the document for the next reader by id, at the next revision", async () => {
    const { id, client } = await opened("one");
    expect(await client.type("zero ")).toEqual({ version: 1, accepted: "same", orphans: [] });
    const read = await editor.get(id, { format: "markdown" });
    expect(read).toMatchObject({ markdownText: "zero one\n", revision: 2, text: "zero one" });
  });

  it("that is sent again with the same number returns the same answer and is in the log once", async () => {
    const { id, client } = await opened("one");
    const batch = client.batch([insertedText(1, "zero ")]);
    const first = await client.send(batch);
    expect(await client.send(batch)).toEqual(first);
    expect((await client.batches()).batches).toHaveLength(1);
    expect(await markdownOf(id)).toBe("zero one\n");
  });

  it("with the number of another one is refused, and its text is not taken for stored", async () => {
    const { id, client } = await opened("one");
    await client.send(client.batch([insertedText(1, "a")]));
    expect(await outcomeOf(client.send(client.batch([insertedText(1, "b")])))).toBe("conflict");
    expect(await markdownOf(id)).toBe("aone\n");
  });

  it("that an earlier release accepted, without a hash, is answered again", async () => {
    const { client } = await opened("one");
    const batch = client.batch([insertedText(1, "a")]);
    const answer = await client.send(batch);
    await test.database.execute(sql`UPDATE live_clients SET hash = NULL WHERE "teamId" = ${world.teamId}::uuid
      AND "clientId" = ${client.clientId}::uuid`);
    expect(await client.send(batch)).toEqual(answer);
  });

  it("with a number far ahead, for a log that is gone, hears that the log is another one", async () => {
    const { client } = await opened("one");
    await client.push([insertedText(1, "a")]);
    const lineage = "00000000-0000-7000-8000-000000000000";
    expect(await outcomeOf(client.send(client.batch([insertedText(1, "b")], { lineage, seq: 9 })))).toBe(
      "lineage_changed",
    );
    expect(await outcomeOf(client.send(client.batch([insertedText(1, "b")], { lineage, seq: 2 })))).toBe(
      "lineage_changed",
    );
  });

  it("with the number of an accepted batch and other steps hears so, also for a log that is gone", async () => {
    const { client } = await opened("one");
    await client.push([insertedText(1, "a")]);
    const lineage = "00000000-0000-7000-8000-000000000000";
    const other = client.batch([insertedText(1, "b")], { lineage, seq: 1 });
    expect(await outcomeOf(client.send(other))).toBe("conflict");
  });

  it("for an older version is rebased onto what came since, and loses nothing", async () => {
    const { id, client } = await opened("one");
    const other = new LiveClient(world, world.people.admin, id);
    await other.open();
    await client.push([insertedText(4, " two")]);
    expect(await other.push([insertedText(1, "zero ")])).toMatchObject({ version: 2 });
    expect(await markdownOf(id)).toBe("zero one two\n");
  });

  it("that deletes what others have written in since spares it", async () => {
    const { id, client } = await opened("first\n\nsecond");
    const other = new LiveClient(world, world.people.admin, id);
    await other.open();
    await client.push([insertedText(3, "NEW")]);
    await other.push([{ stepType: "replace", from: 0, to: 7 }]);
    expect(await markdownOf(id)).toContain("NEW");
  });
});

describe("bad input", () => {
  const large = {
    stepType: "replace",
    from: 1,
    to: 1,
    slice: { content: [{ type: "text", text: "x".repeat(2_000_000) }] },
  };
  const image = { type: "image", attrs: { src: "data:image/png;base64,AAAA", alt: null, title: null } };
  const heading = { type: "heading", attrs: { level: 9, id: null } };

  it.each([
    ["a step outside of the document", { steps: [insertedText(900, "x")] }, "steps_refused"],
    ["a step of an unknown type", { steps: [{ stepType: "explode" }] }, "steps_refused"],
    ["a step with an unknown node", { steps: [insertedNode({ type: "script" })] }, "steps_refused"],
    ["a step with a heading of level 9", { steps: [insertedNode(heading, 0)] }, "steps_refused"],
    [
      "an attribute that becomes invalid",
      { steps: [{ stepType: "attr", pos: 0, attr: "level", value: 9 }] },
      "steps_refused",
    ],
    ["an inline image", { steps: [insertedNode(image)] }, "steps_refused"],
    ["a text with a NUL", { steps: [insertedText(1, "a\u0000b")] }, "steps_refused"],
    ["a text with half of a pair", { steps: [insertedText(1, "a\ud800b")] }, "steps_refused"],
    ["a block in a text", { steps: [insertedNode({ type: "paragraph" }, 2)] }, "steps_refused"],
    ["500 nested quotes", { steps: [insertedNode(nested(500), 0)] }, "steps_refused"],
    ["a batch of 2 MB", { steps: [large] }, "payload_too_large"],
    ["501 steps", { steps: Array.from({ length: 501 }, () => insertedText(1, "x")) }, "validation_error"],
    ["no step", { steps: [] }, "validation_error"],
    ["a step that is a text", { steps: ["x"] }, "validation_error"],
    ["a forged author", { author: world.people.admin.actor.userId }, "validation_error"],
    ["a version that does not exist yet", { base: 7 }, "lineage_changed"],
    ["the log of another document", { lineage: "00000000-0000-7000-8000-000000000000" }, "lineage_changed"],
    ["an old schema", { schema: 0 }, "validation_error"],
    ["a newer schema than this server's", { schema: 1_000 }, "unavailable"],
    ["a number that was left out", { seq: 2 }, "conflict"],
    ["a number of long ago", { seq: 0 }, "validation_error"],
  ])("is refused and leaves the document and its log as they are: %s", async (_name, fields, code) => {
    const { id, client } = await opened("# one\n\ntwo");
    const batch = client.batch([insertedText(1, "x")], fields);
    expect(await outcomeOf(client.send(batch))).toBe(code);
    expect((await client.batches()).version).toBe(0);
    expect(await editor.get(id, { format: "markdown" })).toMatchObject({ markdownText: "# one\n\ntwo\n", revision: 1 });
  });

  it("a refusal tells the log the types, positions and sizes of the steps, and nothing of their text", async () => {
    const { client } = await opened("# one\n\ntwo");
    const unknown = { stepType: "secret type", secret: "secret key" };
    for (const steps of [
      [insertedText(900, "secret text")],
      [insertedNode({ type: "secret" })],
      [insertedText(1, "secret \u0000")],
      [unknown],
    ]) {
      const error = await client.send(client.batch(steps)).catch((thrown: unknown) => thrown);
      const shapes = error instanceof ServiceError ? JSON.stringify(error.cause) : "";
      expect(shapes).toMatch(/^\{"steps":\["(?:replace \d+ \d+|\(unknown\)) of \d+ characters"\],"count":1\}$/);
    }
  });

  it("shows where several ranges of a refused step begin and end", () => {
    const ranges = [
      { from: 3, to: 5 },
      { from: 9, to: 12, slice: {} },
    ];
    const { steps } = new StepShapes([
      { stepType: "replaceRanges", ranges },
      { stepType: "replaceRanges", ranges: ["x"] },
    ]);
    expect(steps).toEqual(["replaceRanges 3 12 of 87 characters", "replaceRanges of 43 characters"]);
  });

  it("an earlier batch that arrives late is refused", async () => {
    const { client } = await opened("one");
    const first = client.batch([insertedText(1, "a")]);
    await client.push(first.steps);
    await client.push([insertedText(1, "b")]);
    expect(await outcomeOf(client.send(first))).toBe("conflict");
    expect((await client.batches()).version).toBe(2);
  });

  it("the client id of somebody else is refused, and reveals no answer", async () => {
    const { id, client } = await opened("one");
    await client.push([insertedText(1, "a")]);
    const other = new LiveClient(world, world.people.admin, id);
    await other.open();
    expect(await outcomeOf(other.send(other.batch([insertedText(1, "b")], { clientId: client.clientId })))).toBe(
      "conflict",
    );
  });

  it("a person who may only read is refused, and a hidden document is absent", async () => {
    const { id } = await opened("one");
    const viewer = new LiveClient(world, world.people.viewer, id);
    expect(await viewer.open()).toMatchObject({ canWrite: false });
    expect(await outcomeOf(viewer.push([insertedText(1, "a")]))).toBe("forbidden");
    const absent = new LiveClient(world, world.people.editor, unknownId);
    absent.lineage = viewer.lineage;
    expect(await outcomeOf(absent.push([insertedText(1, "a")]))).toBe("not_found");
  });

  it("a full document takes no more, but deletions", async () => {
    const { id, client } = await opened("x".repeat(1_499_990));
    expect(await outcomeOf(client.push([insertedText(1, "y".repeat(20))]))).toBe("payload_too_large");
    await client.push([{ stepType: "replace", from: 1, to: 11 }]);
    expect((await editor.get(id)).text).toHaveLength(1_499_980);
  });
});

function insertedNode(node: object, position = 1) {
  return { stepType: "replace", from: position, to: position, slice: { content: [node] } };
}

function nested(depth: number): object {
  let node: object = { type: "paragraph" };
  for (let level = 0; level < depth; level++) node = { type: "blockquote", content: [node] };
  return node;
}
