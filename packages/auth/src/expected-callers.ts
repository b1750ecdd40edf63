import type { Database, DatabaseUnavailableError, Reader, Statement } from "@kb/db";
import { LRUCache } from "lru-cache";
import type { Actor } from "./actor.ts";
import { isWellFormedToken } from "./api-key.ts";
import { type KeyRow, keyActor, keyLookUp, recordKeyUse } from "./authenticate.ts";
import { recordSessionUse, type SessionRow, sessionActor, sessionLookUp } from "./sessions/authenticate.ts";
import { isSessionToken } from "./sessions/token.ts";

/**
 * The caller that a credential had when it was last looked up. It decides nothing: the credential is looked up again in the round
 * trip of the first statement that `reader` runs, and an answer may be sent only after `confirm` has returned the same caller.
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
  /** Returns the caller as the database has it now; null for a credential that is not valid. The same object if nothing changed. */
  confirm(): Promise<Actor | null>;
};

/** Looks up credentials of one kind and remembers the callers that it found. */
export type ExpectedCallers = {
  /** Finds the owner of a credential, as `authenticateApiKey` and `authenticateSession`. */
  authenticate(token: string, now: Date): Promise<Actor | null>;
  /** Returns the caller that the credential had before; undefined for one that was not seen yet. */
  expect(token: string, now: Date): ExpectedCaller | undefined;
};

/** A caller, and the facts from which it was made. */
type Remembered = { readonly actor: Actor; readonly facts: string };

const maxRemembered = 2_000;

/** How credentials of one kind are looked up. */
type CredentialKind<Row> = {
  readonly isToken: (token: string) => boolean;
  /** Selects the row of a valid credential, and none for any other. */
  readonly lookUp: (token: string, now: Date) => Statement;
  /** Returns everything of the row that the caller is made of. */
  readonly factsOf: (row: Row) => string;
  readonly actorOf: (row: Row, token: string) => Actor;
  /** Records a use, if that is due. */
  readonly recordUse: (database: Database, row: Row, now: Date) => Promise<void>;
};

/** Creates the memory of a process for API keys. */
export const expectedCallers = (database: Database): ExpectedCallers => expectedBy(database, keys);

/** Creates the memory of a process for browser sessions. */
export const expectedSessions = (database: Database): ExpectedCallers => expectedBy(database, sessions);

const keys: CredentialKind<KeyRow> = {
  isToken: (token) => isWellFormedToken("kb_", token),
  lookUp: keyLookUp,
  factsOf: ({ lastUsedAt: _, ...facts }) => JSON.stringify(facts),
  actorOf: keyActor,
  recordUse: recordKeyUse,
};

const sessions: CredentialKind<SessionRow> = {
  isToken: isSessionToken,
  lookUp: sessionLookUp,
  factsOf: ({ lastSeenAt: _, ...facts }) => JSON.stringify(facts),
  actorOf: sessionActor,
  recordUse: recordSessionUse,
};

function expectedBy<Row>(database: Database, kind: CredentialKind<Row>): ExpectedCallers {
  const { isToken, lookUp, factsOf, actorOf, recordUse } = kind;
  const remembered = new LRUCache<string, Remembered>({ max: maxRemembered });

  const remember = (token: string, row: Row): Actor => {
    const facts = factsOf(row);
    const before = remembered.get(token);
    if (before?.facts === facts) return before.actor;
    const actor = actorOf(row, token);
    remembered.set(token, { actor, facts });
    return actor;
  };

  const find = async (token: string, now: Date, rows: () => Promise<Row[]>): Promise<Actor | null> => {
    const [row] = await rows();
    if (row === undefined) {
      remembered.delete(token);
      return null;
    }
    await recordUse(database, row, now);
    return remember(token, row);
  };

  return {
    authenticate: async (token, now) => {
      if (!isToken(token)) return null;
      return find(token, now, async () => rowsOf<Row>(await database.beforeTeam.rows(lookUp(token, now))));
    },
    expect: (token, now) => {
      const before = remembered.get(token);
      if (before === undefined) return undefined;
      const statement = lookUp(token, now);
      const { reader, lookUp: look } = database.joinLookUp(statement);
      let confirmed: Promise<Actor | null> | undefined;
      const accepts = (rows: readonly unknown[]): boolean => {
        const found = rowsOf<Row>(rows);
        const [row] = found;
        if (row === undefined || factsOf(row) !== before.facts) {
          confirmed = handled(find(token, now, async () => found));
          return false;
        }
        // The transaction will have committed: it stays the same caller, even if the use cannot be recorded.
        confirmed = recordUse(database, row, now).then(
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
          confirmed ??= find(token, now, async () => rowsOf<Row>(await look()));
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

/** Types the rows of a look-up, which selects the columns of the row of its kind. */
function rowsOf<Row>(rows: readonly unknown[]): Row[] {
  return rows as Row[];
}
