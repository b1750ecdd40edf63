import type { Actor } from "@kb/auth";
import { ServiceError } from "../errors.ts";

/** The most files fetched at once, in all, for one team and for one user: each is held in memory and waits for another server. */
const mostAtOnce = 8;
const mostOfTeam = 4;
const mostOfUser = 2;
/** The longest wait for a place in milliseconds, and the most calls of one user that wait. */
const longestWaitMs = 10_000;
const mostWaitingOfUser = 8;

/** The user for whom a file is fetched. */
export type Owner = Pick<Actor, "teamId" | "userId">;
type Waiting = { readonly owner: Owner; readonly begin: () => void };

/** The users for whom a file is being fetched, once for each file. */
const fetching: Owner[] = [];
/** The calls that wait for a place, in their order. */
const waiting: Waiting[] = [];

/**
 * Waits for a place among the files that are fetched at once. Call the returned function once the file is no longer in memory.
 * @throws {ServiceError} `rate_limited` after 10 seconds without a place, or at once while many calls of the user wait
 */
export async function takeFetchPlace(owner: Owner): Promise<() => void> {
  if (!hasPlaceFor(owner)) await waitForPlace(owner);
  else fetching.push(owner);
  return () => {
    remove(fetching, owner);
    beginNext();
  };
}

const isSameUser = (one: Owner, other: Owner): boolean => one.teamId === other.teamId && one.userId === other.userId;

function hasPlaceFor(owner: Owner): boolean {
  return (
    fetching.length < mostAtOnce &&
    fetching.filter(({ teamId }) => teamId === owner.teamId).length < mostOfTeam &&
    fetching.filter((other) => isSameUser(other, owner)).length < mostOfUser
  );
}

async function waitForPlace(owner: Owner): Promise<void> {
  if (waiting.filter((other) => isSameUser(other.owner, owner)).length >= mostWaitingOfUser) throw tooMany();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const call: Waiting = { owner, begin: resolve };
  waiting.push(call);
  const longest = setTimeout(() => {
    remove(waiting, call);
    reject(tooMany());
  }, longestWaitMs);
  try {
    await promise;
  } finally {
    clearTimeout(longest);
  }
}

/** Gives free places to the calls that have waited longest, except those of teams and users that have all of theirs. */
function beginNext(): void {
  for (const call of [...waiting]) {
    if (!hasPlaceFor(call.owner)) continue;
    remove(waiting, call);
    fetching.push(call.owner);
    call.begin();
  }
}

function remove<T>(list: T[], one: T): void {
  list.splice(list.indexOf(one), 1);
}

function tooMany(): ServiceError {
  const message = "Other files are being fetched at the moment. Wait until they have arrived, then try again.";
  return new ServiceError("rate_limited", message, { retryAfterSeconds: 5 });
}
