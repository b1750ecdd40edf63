import { LastActive, ServiceError } from "@kb/core";
import type { Limiter } from "@kb/runtime";
import { ClientGone } from "./client-gone.ts";

/** Bounds of the share of a caller. Costs are parts of the budget of a minute: 1 is all of it. */
type ShareLimits = {
  /** The cost that a caller may cause at once. */
  readonly burst: number;
  /** The cost that is counted at most, so that what waits alone is never refused. */
  readonly most: number;
  /** Operations of one caller that run at once. */
  readonly atOnce: number;
  /** Time for which a caller is active after a request. */
  readonly activeMs: number;
  /** Operations of one caller that wait, and the time for which each does. */
  readonly waiting: number;
  readonly waitMs: number;
};

const defaultLimits: ShareLimits = {
  burst: 0.05,
  most: 0.22,
  atOnce: 2,
  activeMs: 10_000,
  // More than the default rate limits let through in a minute, so that only a raised limit makes it refuse.
  waiting: 1_000,
  // Time pays for the most that is counted within it.
  waitMs: 32_000,
};

/**
 * The time that pays for a whole budget: while others are active, a caller may use a third of it in a minute, three times what the
 * busiest user of the load bench does.
 */
const budgetMs = 180_000;
/** The part of a burst up to which a caller has several turns at once: two of one caller can take the processors of all others. */
const lightPart = 0.1;
/** Time after which a waiting operation looks again whether others are still active. */
const lookEveryMs = 1_000;
/** Callers that are remembered before those who owe nothing are forgotten. */
const mostOwners = 1_000;

/** Something that costs. `counted` is the part of its cost that its caller owes already. */
type Running = { readonly cost: () => number; counted: number };
type Owner = {
  /** The cost that time has not paid yet, when it was `at`. */
  owed: number;
  at: number;
  /** A list and no `Set`: V8 links the tables that a `Set` outgrows, so each request kept the later ones from being collected. */
  readonly running: Running[];
  /** Turns that have begun. */
  turns: number;
  /** Looks whether the turn of each has come. */
  readonly waiting: (() => void)[];
};

/**
 * Spreads the budget of a minute over the minute while several callers are active: the operations of a caller take turns, a few
 * at once, and a caller who has used more than a burst of the budget waits until time has paid for it. A caller who is active
 * alone never waits.
 */
export class FairShare {
  readonly #limits: ShareLimits;
  readonly #active: LastActive;
  readonly #owners = new Map<string, Owner>();

  constructor(limits: Partial<ShareLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#active = new LastActive(this.#limits.activeMs);
  }

  /** Counts the cost of a request of a caller until the returned function is called. @param cost returns its cost so far */
  enter(name: string, cost: () => number): () => void {
    this.#active.note(name);
    const owner = this.#ownerOf(name);
    const running: Running = { cost, counted: 0 };
    owner.running.push(running);
    return () => {
      this.#settle(owner);
      const at = owner.running.indexOf(running);
      if (at !== -1) owner.running.splice(at, 1);
    };
  }

  /**
   * Waits until it is the caller's turn, and returns a function that ends it.
   * @param to begin an operation, or go on with an answer that is being sent, which is never refused
   * @param signal ends the wait when the client disconnects
   * @throws {ServiceError} `rate_limited` if it waits for too long, or too many do; `ClientGone` if the client has disconnected
   */
  async takeTurn(name: string, to: "begin" | "go on", signal?: AbortSignal): Promise<() => void> {
    const owner = this.#ownerOf(name);
    const mayBeRefused = to === "begin";
    if (owner.waiting.length > 0 || this.#msUntilTurn(name, owner) > 0) {
      await this.#wait(name, owner, { mayBeRefused, signal });
    } else owner.turns += 1;
    return () => {
      owner.turns -= 1;
      owner.waiting[0]?.();
    };
  }

  #ownerOf(name: string): Owner {
    const known = this.#owners.get(name);
    if (known !== undefined) return known;
    if (this.#owners.size >= mostOwners) this.#forget();
    const owner: Owner = { owed: 0, at: performance.now(), running: [], turns: 0, waiting: [] };
    this.#owners.set(name, owner);
    return owner;
  }

  /** Forgets those who owe nothing. */
  #forget(): void {
    for (const [name, owner] of this.#owners) {
      this.#settle(owner);
      const isIdle = owner.running.length === 0 && owner.turns === 0 && owner.waiting.length === 0;
      if (isIdle && owner.owed === 0) this.#owners.delete(name);
    }
  }

  /**
   * Returns the time until a caller may take a turn, unless they end one before: 0 for now. Only one who owes little takes several
   * turns at once.
   */
  #msUntilTurn(name: string, owner: Owner): number {
    if (!this.#active.hasOther(name)) return 0;
    const { burst, atOnce } = this.#limits;
    if (owner.turns >= atOnce) return lookEveryMs;
    return this.#msUntil(owner, owner.turns === 0 ? burst : burst * lightPart);
  }

  /** Returns the time until a caller owes at most `cost`. */
  #msUntil(owner: Owner, cost: number): number {
    this.#settle(owner);
    return Math.max(0, owner.owed - cost) * budgetMs;
  }

  /** Adds what the running work has cost since the last time, and takes off what the time since then pays. */
  #settle(owner: Owner): void {
    const now = performance.now();
    owner.owed = Math.max(0, owner.owed - (now - owner.at) / budgetMs);
    owner.at = now;
    for (const running of owner.running) {
      const cost = running.cost();
      owner.owed += cost - running.counted;
      running.counted = cost;
    }
    owner.owed = Math.min(owner.owed, this.#limits.most);
  }

  /** Waits for a turn behind those that waited before, and takes it. */
  async #wait(
    name: string,
    owner: Owner,
    { mayBeRefused, signal }: { readonly mayBeRefused: boolean; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    const { waiting, waitMs } = this.#limits;
    if (mayBeRefused && owner.waiting.length >= waiting) throw this.#refusal(owner);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    const look = (): void => {
      clearTimeout(timer);
      if (owner.waiting[0] !== look) return;
      const leftMs = this.#msUntilTurn(name, owner);
      if (leftMs > 0) {
        timer = setTimeout(look, Math.min(Math.ceil(leftMs), lookEveryMs));
        return;
      }
      owner.turns += 1;
      leave();
      resolve();
    };
    const leave = (): void => {
      clearTimeout(timer);
      const at = owner.waiting.indexOf(look);
      // It has left already: its turn came while the client disconnected.
      if (at === -1) return;
      owner.waiting.splice(at, 1);
      owner.waiting[0]?.();
    };
    const giveUp = (error: ServiceError): void => {
      leave();
      reject(error);
    };
    const onAbort = (): void => giveUp(new ClientGone());
    const deadline = mayBeRefused ? setTimeout(() => giveUp(this.#refusal(owner)), waitMs) : undefined;
    owner.waiting.push(look);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    else look();
    await promise.finally(() => {
      clearTimeout(deadline);
      signal?.removeEventListener("abort", onAbort);
    });
  }

  #refusal(owner: Owner): ServiceError {
    const seconds = Math.max(1, Math.ceil(this.#msUntil(owner, this.#limits.burst) / 1_000));
    return new ServiceError(
      "rate_limited",
      "Your last requests have used up your share, and others are active. Wait, then send less at once.",
      { retryAfterSeconds: seconds },
    );
  }
}

const shares = new WeakMap<Limiter, FairShare>();

/** Returns the shares of the callers that a limiter counts: all edges of a process have the same. */
export function shareOf(limiter: Limiter): FairShare {
  const known = shares.get(limiter) ?? new FairShare();
  shares.set(limiter, known);
  return known;
}
