import type { Actor, ExpectedCaller } from "@kb/auth";
import { DatabaseUnavailableError, type FirstLookUp, type LastStatement, type Tx } from "@kb/db";
import { AuditDraft } from "./audit/draft.ts";
import type { AuditRecord } from "./audit/entry.ts";
import { auditSubject } from "./audit/record-denial.ts";
import { CallerChangedError } from "./caller-changed-error.ts";
import type { CallMetadata, Service, WriteContext } from "./context.ts";
import { ServiceError } from "./errors.ts";
import type { Answer } from "./final-change.ts";
import { withIdempotency } from "./idempotency.ts";
import { endWithOutbox, type Outbox } from "./outbox.ts";
import { AnswerAfterRollback } from "./prepare-again.ts";

/** One call of a changing operation. */
export type ChangeCall = {
  readonly operation: string;
  readonly actor: Actor;
  readonly input: unknown;
  readonly call: CallMetadata;
  /** The caller to confirm in the first round trip of the transaction. */
  readonly expected?: ExpectedCaller | undefined;
};

type Run = (context: WriteContext) => Promise<Answer<unknown>>;

/** Runs a change in one transaction, at most once for each idempotency key: the stored answer is part of the change. */
export async function runChange(service: Service, change: ChangeCall, run: Run): Promise<unknown> {
  const { actor, call, expected } = change;
  try {
    return await service.database.transaction(
      (tx) =>
        withIdempotency(tx, actor, service.clock.now(), call.idempotency, () => runAudited(service, change, tx, run)),
      { lookUp: expected === undefined ? undefined : lookUpOf(expected), confirmsReads: true },
    );
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) expected?.inTransaction.fails(error);
    // The conflict names the current revision, and the transaction that has read it was rolled back.
    if (namesRevision(error)) await service.database.readsOnDisk();
    throw error;
  }
}

const namesRevision = (error: unknown): boolean =>
  error instanceof AnswerAfterRollback || (error instanceof ServiceError && error.code === "revision_conflict");

/** Returns the look-up of an expected caller; the transaction rolls back unless the caller is still the same. */
function lookUpOf({ inTransaction: { statement, accepts } }: ExpectedCaller): FirstLookUp {
  const check = (rows: readonly unknown[]): void => {
    if (!accepts(rows)) throw new CallerChangedError();
  };
  return { statement, check };
}

/** Runs a change with its events and its entry in the audit log: all of them are written, or none. */
function runAudited(
  service: Service,
  { operation, actor, input, call }: ChangeCall,
  tx: Tx,
  run: Run,
): Promise<unknown | LastStatement<unknown>> {
  const { database: _, clock, ...dependencies } = service;
  const { address, requestId } = call;
  const now = clock.now();
  const audit = new AuditDraft(operation, input);
  const auditOf = (output: unknown): AuditRecord | null => {
    const entry = audit.finish(output);
    if (entry === null) return null;
    const facts = { at: now, action: operation, outcome: "success", address, requestId } as const;
    return { ...auditSubject(actor), ...entry, ...facts };
  };
  const change = (outbox: Outbox): Promise<Answer<unknown>> =>
    run({ ...dependencies, actor, now, call, tx, outbox, audit });
  return endWithOutbox(tx, actor, change, auditOf);
}
