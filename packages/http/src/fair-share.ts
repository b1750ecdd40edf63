import { LastActive, ServiceError } from "@kb/core";
import type { Limiter } from "@kb/runtime";
import type { WorkTurn } from "@kb/telemetry";

/** Bounds of the share of a caller. Costs are parts of the budget of a minute: 1 is all of it. */
type ShareLimits = {
  /** The cost that a caller may cause at once. */
  readonly burst: number;
  /** The cost that is counted at most, so that what waits alone is never refused. */
  readonly most: number;
  /** Pieces of heavy work of one caller that run at once. */
  readonly atOnce: number;
  /** Time for which a caller is active after a request. */
  readonly activeMs: number;
  /** Pieces of work of one caller that wait, and the time for which each does. */
  readonly waiting: number;
  readonly waitMs: number;
};

const defaultLimits: ShareLimits = {
  burst: 0.1,
  most: 0.2,
  atOnce: 2,
  activeMs: 10_000,
  waiting: 64,
  waitMs: 10_000,
};

const budgetMs = 60_000;
/** The part of a burst up to which a caller has several turns at once: two of one caller can take the processors of all others. */
const lightPart = 0.1;
/** Time after which waiting work looks again whether others are still active. */
const lookEveryMs = 1_000;
/** Callers that are remembered before those who owe nothing are forgotten. */
const mostOwners = 1_000;

/** Something that costs. `counted` is the part of its cost that its caller owes already. */
type Running = { readonly cost: () => number; counted: number };
type Owner = {
  /** The cost that time has not paid yet, when it was `at`. */
  owed: number;
  at: number;
  readonly running: Set<Running>;
  /** Turns that have begun. */
  turns: number;
  /** Looks whether the turn of each has come. */
  readonly waiting: (() => void)[];
};

/**
 * Spreads the budget of a minute over the minute while several callers are active: the heavy work of a caller, such as that in threads and
 * in the database, takes turns, a few at once. A caller who has used more than a burst of the budget waits until time has paid for it. A
 * caller who is active alone never waits.
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
    return this.#count(this.#ownerOf(name), cost);
  }

  /**
   * Waits until the caller may do a piece of heavy work.
   * @param costOf returns the cost of work that has taken this many milliseconds, if its time counts
   * @throws {ServiceError} `rate_limited` if it waits for too long, or too many do
   */
  async takeTurn(name: string, costOf: (ms: number) => number): Promise<WorkTurn> {
    const owner = this.#ownerOf(name);
    if (owner.waiting.length > 0 || this.#msUntilTurn(name, owner) > 0) await this.#wait(name, owner);
    else owner.turns += 1;
    let stopCounting = (): void => {};
    return {
      countTime: () => {
        const startedAt = performance.now();
        stopCounting = this.#count(owner, () => costOf(performance.now() - startedAt));
      },
      end: () => {
        stopCounting();
        owner.turns -= 1;
        owner.waiting[0]?.();
      },
    };
  }

  #count(owner: Owner, cost: () => number): () => void {
    const running: Running = { cost, counted: 0 };
    owner.running.add(running);
    return () => {
      this.#settle(owner);
      owner.running.delete(running);
    };
  }

  #ownerOf(name: string): Owner {
    const known = this.#owners.get(name);
    if (known !== undefined) return known;
    if (this.#owners.size >= mostOwners) this.#forget();
    const owner: Owner = { owed: 0, at: performance.now(), running: new Set(), turns: 0, waiting: [] };
    this.#owners.set(name, owner);
    return owner;
  }

  /** Forgets those who owe nothing. */
  #forget(): void {
    for (const [name, owner] of this.#owners) {
      this.#settle(owner);
      const isIdle = owner.running.size === 0 && owner.turns === 0 && owner.waiting.length === 0;
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
  async #wait(name: string, owner: Owner): Promise<void> {
    const { waiting, waitMs } = this.#limits;
    if (owner.waiting.length >= waiting) throw this.#refusal(owner);
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
      owner.waiting.splice(owner.waiting.indexOf(look), 1);
      owner.waiting[0]?.();
    };
    const deadline = setTimeout(() => {
      leave();
      reject(this.#refusal(owner));
    }, waitMs);
    owner.waiting.push(look);
    look();
    await promise.finally(() => clearTimeout(deadline));
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
