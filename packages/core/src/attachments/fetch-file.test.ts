import { afterEach, describe, expect, it, vi } from "vitest";
import { type FetchAddress, fetchFile } from "./fetch-file.ts";
import type { Owner } from "./fetch-places.ts";

const bytes = new Uint8Array([1]);
const userOf = (teamId: string, userId: string): Owner => ({ teamId, userId });

describe("the files that are fetched at once", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Fetches files, each of which is in use until `release` is called for it. */
  const fetching = () => {
    const sent: string[] = [];
    const uses = new Map<string, () => void>();
    const send: FetchAddress = async (url) => {
      sent.push(new URL(url).pathname.slice(1));
      return { status: 200, headers: {}, body: bytes };
    };
    const begin = (name: string, actor: Owner): Promise<string> =>
      fetchFile(send, `https://pictures.example.com/${encodeURIComponent(name)}`, { actor, maxBytes: 10 }, async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        uses.set(name, resolve);
        await promise;
        return name;
      });
    return { sent, begin, release: (name: string) => uses.get(name)?.() };
  };

  it("are two of a user until they are stored; a third waits for the first", async () => {
    const { sent, begin, release } = fetching();
    const user = userOf("team", "user");
    const calls = ["a", "b", "c"].map((name) => begin(name, user));
    const other = begin("d", userOf("team", "other"));
    await expect.poll(() => sent).toEqual(["a", "b", "d"]);
    release("b");
    await expect.poll(() => sent).toEqual(["a", "b", "d", "c"]);
    for (const name of ["a", "c", "d"]) release(name);
    expect(await Promise.all([...calls, other])).toEqual(["a", "b", "c", "d"]);
  });

  it("are half of all of one team, so that others go on", async () => {
    const { sent, begin, release } = fetching();
    const names = ["1", "2", "3", "4", "5"];
    const calls = names.map((name) => begin(name, userOf("team", name)));
    const others = ["6", "7", "8", "9"].map((name) => begin(name, userOf("another", name)));
    await expect.poll(() => sent).toEqual(["1", "2", "3", "4", "6", "7", "8", "9"]);
    const third = begin("10", userOf("third", "10"));
    release("6");
    // The fifth of the first team has waited longer, but its team has no place.
    await expect.poll(() => sent.at(-1)).toBe("10");
    release("1");
    await expect.poll(() => sent.at(-1)).toBe("5");
    for (const name of [...names, "7", "8", "9", "10"]) release(name);
    await Promise.all([...calls, ...others, third]);
  });

  it("are refused after a wait of ten seconds, or at once while eight of the user wait", async () => {
    vi.useFakeTimers();
    const { begin, release, sent } = fetching();
    const user = userOf("team", "user");
    const calls = ["a", "b"].map((name) => begin(name, user));
    const waiting = Array.from({ length: 8 }, () => begin("waits", user).catch((error: unknown) => error));
    const refused = { code: "rate_limited", retryAfterSeconds: 5 };
    await expect(begin("too many", user)).rejects.toMatchObject(refused);
    await vi.advanceTimersByTimeAsync(10_000);
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject(refused);
    for (const name of ["a", "b"]) release(name);
    await Promise.all(calls);
    const next = begin("next", user);
    await expect.poll(() => sent).toEqual(["a", "b", "next"]);
    release("next");
    expect(await next).toBe("next");
  });
});
