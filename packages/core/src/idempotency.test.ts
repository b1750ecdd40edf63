import { createHash } from "node:crypto";
import { callerOf, holdIdempotencyKey, outcomeOf } from "@kb/core/testing";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import type { IdempotentCall } from "./idempotency.ts";
import { testWorld } from "./testing/test-world.ts";

const clock = testClock();
const { world } = await testWorld({ clock });
const editor = callerOf(world, world.people.editor);

const callWith = (key: string, request: string): IdempotentCall => ({
  key,
  requestHash: new Uint8Array(createHash("sha256").update(request).digest()),
});
const countOf = async (title: string): Promise<number> => (await editor.list({ title })).total;

/** Creates a document under a key, and returns whether the answer was a stored one. */
async function create(title: string, key: string, by = editor) {
  const idempotency = callWith(key, title);
  const document = await by.create({ title }, { idempotency });
  return { document, replayed: idempotency.replayed === true };
}

describe("a call with an idempotency key", () => {
  it("returns the stored answer when it is repeated", {
    meta: { proves: ["decision.api.idempotency-replay"] },
  }, async () => {
    const first = await create("once", "key-1");
    expect(first.replayed).toBe(false);
    expect(await create("once", "key-1")).toEqual({ document: first.document, replayed: true });
    expect(await countOf("once")).toBe(1);
  });

  it("returns the stored answer although the document has changed since", {
    meta: { proves: ["decision.api.idempotency-replay"] },
  }, async () => {
    const { document } = await create("before", "key-2");
    await editor.update(document.id, { title: "after" });
    expect((await create("before", "key-2")).document).toEqual(document);
  });

  it("is refused for another request under the same key", {
    meta: { proves: ["decision.api.idempotency-mismatch"] },
  }, async () => {
    await create("mine", "key-3");
    expect(await outcomeOf(create("other", "key-3"))).toBe("idempotency_mismatch");
    expect(await countOf("other")).toBe(0);
  });

  it("is refused with a time to wait while the first one runs", {
    meta: { proves: ["decision.api.idempotency-running"] },
  }, async () => {
    const release = await holdIdempotencyKey(world, world.people.editor.id, "key-4");
    await expect(create("twice", "key-4")).rejects.toMatchObject({ code: "conflict", retryAfterSeconds: 1 });
    await release();
    expect((await create("twice", "key-4")).replayed).toBe(false);
  });

  it("changes something once when it is sent many times at once", {
    meta: { proves: ["decision.api.idempotency-running"] },
  }, async () => {
    const calls = Array.from({ length: 20 }, () => create("parallel", "key-5"));
    for (const outcome of await Promise.all(calls.map(outcomeOf))) expect(outcome).toBeOneOf(["done", "conflict"]);
    const settled = await Promise.allSettled(calls);
    const answers = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(await countOf("parallel")).toBe(1);
    expect(new Set(answers.map((answer) => answer.document.id)).size).toBe(1);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
  });

  it("stores nothing if it fails, and may be sent again", {
    meta: { proves: ["decision.api.idempotency-replay"] },
  }, async () => {
    const { trashed } = world.documents;
    const idempotency = callWith("key-6", "again");
    const failing = editor.create({ title: "again", parentDocumentId: trashed.id }, { idempotency });
    await expect(failing).rejects.toMatchObject({ code: "not_found" });
    expect((await create("again", "key-6")).replayed).toBe(false);
  });

  it("is remembered for 24 hours", { meta: { proves: ["decision.api.idempotency-replay"] } }, async () => {
    await create("daily", "key-7");
    clock.advance(24 * 60 * 60 * 1000 - 1);
    expect((await create("daily", "key-7")).replayed).toBe(true);
    clock.advance(1);
    expect((await create("daily", "key-7")).replayed).toBe(false);
    expect(await countOf("daily")).toBe(2);
  });

  it("is apart from another user's call with the same key", {
    meta: { proves: ["decision.api.idempotency-replay"] },
  }, async () => {
    const mine = await create("shared", "key-8");
    const theirs = await create("shared", "key-8", callerOf(world, world.people.member));
    expect(theirs.document.id).not.toBe(mine.document.id);
  });
});
