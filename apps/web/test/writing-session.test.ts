import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Failure } from "../src/client/api/failure.ts";
import type { Draft, DraftStore } from "../src/client/writing/draft-store.ts";
import { WritingSession, type WritingStatus, type Written } from "../src/client/writing/writing-session.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Answer = (fields: Partial<Written>, expectedRevision: number) => Promise<number>;

/** A session whose service answers as the test says; the next revision by default. */
function open(answers: Answer[] = [], conflicting?: Written) {
  const sent: { fields: Partial<Written>; revision: number }[] = [];
  const statuses: WritingStatus[] = [];
  let kept: Draft | undefined;
  const drafts: DraftStore = {
    read: async () => kept,
    keep: async (draft) => {
      kept = draft;
    },
    keepAtOnce: (draft) => {
      kept = draft;
    },
    drop: async () => {
      kept = undefined;
    },
  };
  const replace = (draft: Draft): void => {
    kept = draft;
  };
  const session = new WritingSession({
    start: { title: "Title", text: "one", revision: 1 },
    conflicting,
    send: (fields, revision) => {
      sent.push({ fields, revision });
      return (answers.shift() ?? (async () => revision + 1))(fields, revision);
    },
    drafts,
    onStatus: (status) => statuses.push(status),
  });
  return { session, sent, statuses, kept: () => kept, replace, last: () => statuses.at(-1) };
}

const refused = (
  code: string,
  details: { path: string; message: string; currentRevision?: number; diff?: string }[] = [],
) => new Failure(code === "offline" ? 0 : 409, { error: code, code, details });

it("a change is on the device within 300 ms and sent within 2 seconds", {
  meta: { proves: ["web.writing.kept"] },
}, async () => {
  const { session, sent, kept, last } = open();
  session.change({ text: "two" });
  await vi.advanceTimersByTimeAsync(299);
  expect([kept(), sent]).toEqual([{ title: "Title", text: "two", revision: 1 }, []]);
  await vi.advanceTimersByTimeAsync(1_700);
  expect(sent).toEqual([{ fields: { text: "two" }, revision: 1 }]);
  expect([kept(), last(), session.isSaved]).toEqual([undefined, { kind: "saved" }, true]);
});

it("a page that may end keeps what is not saved at once, and nothing that is", {
  meta: { proves: ["web.writing.kept"] },
}, async () => {
  const { session, kept } = open();
  session.keepAtOnce();
  expect(kept()).toBeUndefined();
  session.change({ text: "two" });
  session.keepAtOnce();
  expect(kept()).toEqual({ title: "Title", text: "two", revision: 1 });
  await session.save();
  session.keepAtOnce();
  expect(kept()).toBeUndefined();
});

it("a page that may end leaves what the device has, which another tab may have replaced, and what was forgotten", {
  meta: { proves: ["web.writing.kept"] },
}, async () => {
  const away = async (): Promise<number> => {
    throw refused("offline");
  };
  const { session, kept, replace } = open([away, away]);
  session.change({ text: "two" });
  await vi.advanceTimersByTimeAsync(300);
  replace({ title: "Title", text: "two of another tab", revision: 1 });
  session.keepAtOnce();
  expect(kept()?.text).toBe("two of another tab");
  session.change({ text: "three" });
  session.keepAtOnce();
  expect(kept()?.text).toBe("three");
  await session.forget();
  session.change({ text: "typed while the page is left" });
  session.keepAtOnce();
  expect(kept()).toBeUndefined();
});

it("what is typed while a save runs is sent after it, on the new revision", {
  meta: { proves: ["web.writing.kept"] },
}, async () => {
  let answer = (_: number): void => {};
  const { session, sent } = open([
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  ]);
  session.change({ text: "two" });
  const saving = session.save();
  session.change({ text: "three", title: "Other" });
  answer(2);
  expect(await saving).toBe(true);
  expect(sent).toEqual([
    { fields: { text: "two" }, revision: 1 },
    { fields: { text: "three", title: "Other" }, revision: 2 },
  ]);
});

it("a failure is reported, keeps the text on the device, and is tried again", {
  meta: { proves: ["web.writing.kept"] },
}, async () => {
  const { session, kept, last, sent } = open([() => Promise.reject(refused("offline"))]);
  session.change({ text: "two" });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(last()).toMatchObject({ kind: "failed" });
  expect([kept()?.text, session.isSaved]).toEqual(["two", false]);
  await vi.advanceTimersByTimeAsync(4_000);
  expect([sent.length, last(), kept()]).toEqual([2, { kind: "saved" }, undefined]);
});

it("after a conflict nothing is sent until the writer chooses, and what is typed stays on the device", {
  meta: { proves: ["web.writing.conflict"] },
}, async () => {
  const { session, sent, last, kept } = open([() => Promise.reject(refused("revision_conflict"))]);
  session.change({ text: "two" });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(last()).toEqual({ kind: "conflict" });
  session.change({ text: "three" });
  await vi.advanceTimersByTimeAsync(120_000);
  expect([sent.length, kept()?.text]).toEqual([1, "three"]);
  expect(await session.replace(7)).toBe(true);
  expect(sent.at(-1)).toEqual({ fields: { text: "three" }, revision: 7 });
});

it("a change of other fields only, such as tags, is no conflict of the text", {
  meta: { proves: ["web.writing.conflict"] },
}, async () => {
  const details = [{ path: "expectedRevision", message: "", currentRevision: 5, diff: "" }];
  const { session, sent } = open([() => Promise.reject(refused("revision_conflict", details))]);
  session.change({ text: "two" });
  expect(await session.save()).toBe(true);
  expect(sent.map(({ revision }) => revision)).toEqual([1, 5]);
});

it("a draft of an earlier revision waits for the writer's choice; discarding it leaves nothing to save", {
  meta: { proves: ["web.writing.conflict"] },
}, async () => {
  const { session, sent } = open([], { title: "Title", text: "mine" });
  expect([await session.save(), session.current.text, sent]).toEqual([false, "mine", []]);
  session.discard();
  expect([await session.save(), session.isSaved, sent]).toEqual([true, true, []]);
});

it("a save that ends after the text is forgotten leaves nothing unsaved, keeps nothing and sends nothing more", {
  meta: { proves: ["web.writing.kept"] },
}, async () => {
  let answer = (_: number): void => {};
  const { session, sent, kept } = open([
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  ]);
  session.change({ text: "two" });
  const saving = session.save();
  session.change({ text: "three" });
  await session.forget();
  answer(2);
  expect([await saving, session.isSaved, session.current.text]).toEqual([true, true, "two"]);
  session.change({ text: "four" });
  session.close();
  await vi.advanceTimersByTimeAsync(120_000);
  expect([sent.length, kept()]).toEqual([1, undefined]);
});

it.each(["offline", "revision_conflict"])(
  "a save that fails with %s after the text is forgotten is not tried again",
  {
    meta: { proves: ["web.writing.kept"] },
  },
  async (code) => {
    let fail = (_: Failure): void => {};
    const { session, sent, kept } = open([
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    ]);
    session.change({ text: "two" });
    const saving = session.save();
    await session.forget();
    fail(refused(code, [{ path: "expectedRevision", message: "", currentRevision: 5, diff: "" }]));
    expect([await saving, session.isSaved]).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(120_000);
    expect([sent.length, kept()]).toEqual([1, undefined]);
  },
);
