import { live } from "@kb/live/plugin";
import type { EditorSession } from "@kb/live/session";
import { EditorState } from "prosemirror-state";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { onCalmStatus } from "../src/client/editor/calm-status.ts";
import { schema } from "../src/client/editor/schema.ts";
import { editorStatus } from "../src/client/editor/status-text.ts";
import { type Locale, loadMessages, type Messages } from "../src/messages/index.ts";

type Status = EditorSession["status"];

/** A session whose status a test sets, and what was said of it. */
function watchedSession() {
  const listeners = new Set<() => void>();
  let status: Status = { kind: "saved" };
  const said: string[] = [];
  const session: Pick<EditorSession, "status" | "on"> = {
    get status() {
      return status;
    },
    on: (_event, listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const set = (next: Status): void => {
    status = next;
    for (const listener of listeners) listener();
  };
  const end = onCalmStatus(session, () => void said.push(status.kind));
  return { set, said, end };
}

describe("what the editor says about saving", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("changes once while batches follow one another, and once after the last", () => {
    const { set, said } = watchedSession();
    for (let batch = 0; batch < 20; batch += 1) {
      set({ kind: "saving" });
      vi.advanceTimersByTime(100);
      set({ kind: "saved" });
      vi.advanceTimersByTime(200);
    }
    expect(said).toEqual(["saving"]);
    vi.advanceTimersByTime(300);
    expect(said).toEqual(["saving", "saved"]);
  });

  it("changes at once for what keeps changes from being saved, with each further one", () => {
    const { set, said } = watchedSession();
    set({ kind: "saving" });
    set({ kind: "waiting", steps: 1 });
    set({ kind: "waiting", steps: 2 });
    set({ kind: "saving" });
    set({ kind: "saved" });
    set({ kind: "gone", steps: 0 });
    expect(said).toEqual(["saving", "waiting", "waiting", "saving", "gone"]);
    vi.advanceTimersByTime(10_000);
    expect(said).toHaveLength(5);
  });

  it("ends with the page", () => {
    const { set, said, end } = watchedSession();
    set({ kind: "saved" });
    end();
    vi.advanceTimersByTime(10_000);
    set({ kind: "gone", steps: 0 });
    expect(said).toEqual([]);
  });
});

describe("the words for more changes than may wait", () => {
  /** What the editor says once two changes are more than may wait. */
  function saidOf(failure: unknown, locale: Locale, messages: Messages): string {
    const start = EditorState.create({ schema, plugins: [live(0)] });
    const state = start.apply(start.tr.insertText("One.", 1).insertText("Two.", 1));
    const status = { kind: "readOnly", why: "tooManyChanges" } as const;
    const opened = { session: { status, state }, keeper: { failure }, leftAt: undefined };
    const editor = { opened, problem: undefined, isUnreachable: false, title: { failure: undefined, isSaved: true } };
    return editorStatus(editor, { locale, messages }).text;
  }

  it.each(["en", "ar"] as const)("say where what was written is, in %s", async (locale) => {
    const messages = await loadMessages(locale);
    const onDevice = saidOf(null, locale, messages);
    expect(onDevice).toContain(messages.statusTooMany);
    expect(onDevice).toContain(messages.statusGoOn);
    // Not the word for text that the service has.
    expect(onDevice).not.toContain(messages.statusSaved);
    const onlyHere = saidOf(new Error("No room"), locale, messages);
    expect(onlyHere).toContain(messages.statusOnlyHere(2));
    expect(onlyHere).toContain(messages.statusGoOn);
    expect(onlyHere).not.toContain(messages.statusTooMany);
  });
});
