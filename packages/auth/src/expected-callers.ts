import type { Database, DatabaseUnavailableError, Reader, Statement } from "@kb/db";
import { LRUCache } from "lru-cache";
import type { Actor } from "./actor.ts";
import { isWellFormedToken } from "./api-key.ts";
import { type KeyRow, keyActor, keyLookUp, recordKeyUse } from "./authenticate.ts";

/**
 * The caller that a key had when it was last looked up. It decides nothing: the key is looked up again in the round trip of
 * the first statement that `reader` runs, and an answer may be sent only after `confirm` has returned the same caller.
 */
export type ExpectedCaller = {
  readonly actor: Actor;
  readonly reader: Reader;
  /**
   * The look-up, to be sent with the first statement of a transaction; `accepts` tells whether its rows are those of the
   * actor. A transaction whose caller was not accepted must not commit. `fails` takes over that the database is away, so that
   * `confirm` does not wait for it once more.
   */
  readonly inTransaction: {
    readonly statement: Statement;
    readonly accepts: (rows: readonly unknown[]) => boolean;
    readonly fails: (error: DatabaseUnavailableError) => void;
  };
  /** Returns the caller as the database has it now; null for a key that is not valid. The same object if nothing changed. */
  confirm(): Promise<Actor | null>;
};

/** Looks up API keys and remembers the callers that it found, for requests that only read. */
export type ExpectedCallers = {
  /** Finds the owner of a key, as `authenticateApiKey`. */
  authenticate(token: string, now: Date): Promise<Actor | null>;
  /** Returns the caller that the key had before; undefined for a key that was not seen yet. */
  expect(token: string, now: Date): ExpectedCaller | undefined;
};

/** A caller, and the facts from which it was made. */
type Remembered = { readonly actor: Actor; readonly facts: string };

const maxRemembered = 2_000;

/** Creates the memory of a process. */
export function expectedCallers(database: Database): ExpectedCallers {
  const remembered = new LRUCache<string, Remembered>({ max: maxRemembered });

  const remember = (token: string, row: KeyRow): Actor => {
    const facts = factsOf(row);
    const before = remembered.get(token);
    if (before?.facts === facts) return before.actor;
    const actor = keyActor(row);
    remembered.set(token, { actor, facts });
    return actor;
  };

  const find = async (token: string, now: Date, rows: () => Promise<KeyRow[]>): Promise<Actor | null> => {
    const [row] = await rows();
    if (row === undefined) {
      remembered.delete(token);
      return null;
    }
    await recordKeyUse(database, row, now);
    return remember(token, row);
  };

  return {
    authenticate: async (token, now) => {
      if (!isWellFormedToken("kb_", token)) return null;
      return find(token, now, () => database.beforeTeam.rows<KeyRow>(keyLookUp(token, now)));
    },
    expect: (token, now) => {
      const before = remembered.get(token);
      if (before === undefined) return undefined;
      const statement = keyLookUp(token, now);
      const { reader, lookUp } = database.joinLookUp<KeyRow>(statement);
      let confirmed: Promise<Actor | null> | undefined;
      const accepts = (rows: readonly unknown[]): boolean => {
        const found = keyRows(rows);
        const [row] = found;
        if (row === undefined || factsOf(row) !== before.facts) {
          confirmed = handled(find(token, now, async () => found));
          return false;
        }
        // The transaction will have committed: it stays the same caller, even if the use of the key cannot be recorded.
        confirmed = recordKeyUse(database, row, now).then(
          () => before.actor,
          () => before.actor,
        );
        return true;
      };
      const fails = (error: DatabaseUnavailableError): void => {
        confirmed ??= handled(Promise.reject(error));
      };
      return {
        actor: before.actor,
        reader,
        inTransaction: { statement, accepts, fails },
        confirm: () => {
          confirmed ??= find(token, now, lookUp);
          return confirmed;
        },
      };
    },
  };
}

/** Returns a promise whose failure is no unhandled one, even if nobody asks for its outcome. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Returns everything of the row that the caller is made of. */
function factsOf({ lastUsedAt: _, ...facts }: KeyRow): string {
  return JSON.stringify(facts);
}

/** Types the rows of `keyLookUp`, which selects the columns of a `KeyRow`. */
function keyRows(rows: readonly unknown[]): KeyRow[] {
  return rows as KeyRow[];
}
