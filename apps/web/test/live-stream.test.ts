import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setConnection } from "../src/client/app/connection.ts";
import { LiveStream } from "../src/client/editor/live-stream.ts";
import { PeopleHere } from "../src/client/editor/people-here.ts";

class FakeSource extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static readonly all: FakeSource[] = [];
  readyState = 0;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.all.push(this);
  }

  close(): void {
    this.readyState = FakeSource.CLOSED;
  }

  tell(name: string, data = ""): void {
    if (name === "open") this.readyState = FakeSource.OPEN;
    if (name === "error" && this.readyState === FakeSource.OPEN) this.readyState = 0;
    this.dispatchEvent(Object.assign(new Event(name), { data }));
  }
}

/** Tells all others of the same name, in this moment. */
class FakeChannel extends EventTarget {
  static readonly all = new Set<FakeChannel>();
  readonly #name: string;

  constructor(name: string) {
    super();
    this.#name = name;
    FakeChannel.all.add(this);
  }

  postMessage(): void {
    for (const other of FakeChannel.all) {
      if (other !== this && other.#name === this.#name) other.dispatchEvent(new Event("message"));
    }
  }

  close(): void {
    FakeChannel.all.delete(this);
  }
}

const open = (): FakeSource[] => FakeSource.all.filter(({ readyState }) => readyState !== FakeSource.CLOSED);

/** Follows a document on a page that can be hidden; returns what the stream has told. */
function followed() {
  const page = Object.assign(new EventTarget(), { hidden: false });
  const pageWindow = new EventTarget();
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", pageWindow.addEventListener.bind(pageWindow));
  vi.stubGlobal("removeEventListener", pageWindow.removeEventListener.bind(pageWindow));
  const told: string[] = [];
  let since = 4;
  const people = new PeopleHere();
  const stream = new LiveStream("document", people, () => ({ lineage: "log", since }), {
    connected: (isConnected) => void told.push(isConnected ? "connected" : "lost"),
    batch: ({ version }) => void told.push(`batch ${version}`),
    access: (canWrite) => void told.push(canWrite ? "may write" : "may read"),
    ended: (kind) => void told.push(kind),
  });
  stream.start();
  const show = (isShown: boolean): void => {
    page.hidden = !isShown;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  const read = (version: number): void => {
    since = version;
  };
  return { stream, people, told, show, read };
}

describe("the stream of a document", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("EventSource", FakeSource);
    vi.stubGlobal("BroadcastChannel", FakeChannel);
    FakeSource.all.length = 0;
    FakeChannel.all.clear();
  });
  afterEach(() => {
    setConnection({ kind: "connected" });
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("is given up by a page that is hidden for 20 seconds, and opened where it has read to once that is shown", () => {
    const { told, show, read } = followed();
    FakeSource.all[0]?.tell("open");
    show(false);
    vi.advanceTimersByTime(19_000);
    show(true);
    vi.advanceTimersByTime(60_000);
    expect(open()).toHaveLength(1);
    show(false);
    vi.advanceTimersByTime(20_000);
    expect(open()).toHaveLength(0);
    expect(told).toEqual(["connected", "lost"]);
    read(9);
    show(true);
    expect(open().map(({ url }) => url)).toEqual(["/api/live.stream?documentId=document&lineage=log&since=9"]);
  });

  it("is given up at once by a hidden page where another tab opens one, and by no page that is shown", () => {
    const { stream, told, show } = followed();
    FakeSource.all[0]?.tell("open");
    new FakeChannel("kb-live-stream").postMessage();
    expect(open()).toHaveLength(1);
    show(false);
    new FakeChannel("kb-live-stream").postMessage();
    expect(open()).toHaveLength(0);
    expect(told).toEqual(["connected", "lost"]);
    show(true);
    expect(open()).toHaveLength(1);
    stream.end();
    expect(FakeChannel.all.size).toBe(2);
  });

  it("that does not open makes the page say after ten seconds that others are late, until one opens; a hidden page never", () => {
    const { people, show } = followed();
    vi.advanceTimersByTime(9_000);
    expect(people.isLate).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(people.isLate).toBe(true);
    FakeSource.all[0]?.tell("open");
    expect(people.isLate).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(people.isLate).toBe(false);
    FakeSource.all[0]?.tell("error");
    vi.advanceTimersByTime(6_000);
    FakeSource.all[0]?.tell("error");
    vi.advanceTimersByTime(4_000);
    expect(people.isLate).toBe(true);
    show(false);
    vi.advanceTimersByTime(20_000);
    expect(people.isLate).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(people.isLate).toBe(false);
    show(true);
    FakeSource.all.at(-1)?.tell("open");
    FakeSource.all.at(-1)?.tell("replaced");
    vi.advanceTimersByTime(10_000);
    expect(people.isLate).toBe(true);
  });

  it("that is missing is late only after ten seconds in which the page is shown and the service answers", () => {
    const { stream, people, show } = followed();
    FakeSource.all[0]?.tell("open");
    show(false);
    FakeSource.all[0]?.tell("error");
    vi.advanceTimersByTime(15_000);
    expect(people.isLate).toBe(false);
    show(true);
    vi.advanceTimersByTime(9_000);
    expect(people.isLate).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(people.isLate).toBe(true);
    setConnection({ kind: "offline" });
    expect(people.isLate).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(people.isLate).toBe(false);
    setConnection({ kind: "connected" });
    vi.advanceTimersByTime(9_000);
    expect(people.isLate).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(people.isLate).toBe(true);
    stream.end();
    expect(people.isLate).toBe(false);
    setConnection({ kind: "connected" });
    vi.advanceTimersByTime(60_000);
    expect(people.isLate).toBe(false);
  });

  it("that other windows take from a hidden page is not late until the page is shown, which opens it again", () => {
    const { people, show } = followed();
    FakeSource.all[0]?.tell("open");
    show(false);
    FakeSource.all[0]?.tell("replaced");
    vi.advanceTimersByTime(60_000);
    expect(people.isLate).toBe(false);
    show(true);
    expect(open()).toHaveLength(1);
  });

  it("that is refused to a hidden page is not asked for until the page is shown", () => {
    const { show } = followed();
    const [first] = FakeSource.all;
    show(false);
    first?.close();
    first?.tell("error");
    vi.advanceTimersByTime(120_000);
    expect(FakeSource.all).toHaveLength(1);
    show(true);
    expect(open()).toHaveLength(1);
  });

  it("that is refused is asked for again, less and less often, and one that breaks is left to the browser", () => {
    const { told } = followed();
    const [first] = FakeSource.all;
    first?.tell("open");
    first?.tell("error");
    vi.advanceTimersByTime(120_000);
    expect(FakeSource.all).toHaveLength(1);
    first?.tell("open");
    expect(told).toEqual(["connected", "lost", "connected"]);
    const refuse = (): void => {
      const source = FakeSource.all.at(-1);
      source?.close();
      source?.tell("error");
    };
    refuse();
    vi.advanceTimersByTime(1_250);
    expect(FakeSource.all).toHaveLength(2);
    for (let count = 0; count < 6; count++) {
      refuse();
      vi.advanceTimersByTime(60_000);
    }
    expect(FakeSource.all).toHaveLength(8);
    refuse();
    vi.advanceTimersByTime(22_000);
    expect(FakeSource.all).toHaveLength(8);
    vi.advanceTimersByTime(16_000);
    expect(FakeSource.all).toHaveLength(9);
  });

  it("tells of batches and rights, ends where the log or the document does, and makes room for other windows", () => {
    const first = followed();
    FakeSource.all[0]?.tell("batch", '{"version":5}');
    FakeSource.all[0]?.tell("access", '{"canWrite":false}');
    FakeSource.all[0]?.tell("reset");
    expect(first.told).toEqual(["batch 5", "may read", "lost", "reopen"]);
    const second = followed();
    FakeSource.all[1]?.tell("gone");
    expect(second.told).toEqual(["lost", "gone"]);
    const third = followed();
    FakeSource.all[2]?.tell("replaced");
    vi.advanceTimersByTime(600_000);
    expect(third.told).toEqual(["lost"]);
    expect(FakeSource.all).toHaveLength(3);
    third.show(true);
    expect(open()).toHaveLength(1);
    third.stream.end();
    third.show(true);
    expect(open()).toHaveLength(0);
  });
});
