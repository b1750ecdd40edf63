import type { Service } from "./context.ts";
import { ServiceError } from "./errors.ts";

/**
 * Work between two attempts of an operation, outside of any transaction, after the attempt with this number, from 0. May return
 * what is to be undone when the operation ends, however it does.
 */
type WorkBetween = (service: Service, attempt: number) => Promise<Undo | undefined>;
type Undo = () => Promise<unknown>;

/**
 * Thrown by an operation's `run` when what was prepared does not fit the row that it has locked, or when it finds work that is
 * too large for a transaction: the transaction is rolled back, and the operation prepares again from the current state.
 */
export class PrepareAgain extends Error {
  override readonly name = "PrepareAgain";
  readonly work: WorkBetween | undefined;

  /** @param work runs before the next attempt */
  constructor(work?: WorkBetween) {
    super("prepare again");
    this.work = work;
  }
}

/**
 * Thrown by an operation's `run` that changes nothing, when its answer takes work that is too large for a transaction, such as a
 * diff: the transaction is rolled back first.
 */
export class AnswerAfterRollback extends Error {
  override readonly name = "AnswerAfterRollback";
  readonly answer: () => Promise<unknown>;

  /** @param answer returns the output of the operation, or throws its error */
  constructor(answer: () => Promise<unknown>) {
    super("answered after the transaction");
    this.answer = answer;
  }
}

// Writers of one document queue within a process, so that only other processes can interfere.
const maxAttempts = 8;

/** Repeats an attempt until what it prepared fits. @throws {ServiceError} `unavailable` after 8 attempts */
export async function prepareUntilFresh(
  service: Service,
  run: (attempt: number) => Promise<unknown>,
): Promise<unknown> {
  let undo: Undo | undefined;
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      try {
        return await run(attempt);
      } catch (error) {
        if (error instanceof AnswerAfterRollback) return await error.answer();
        if (!(error instanceof PrepareAgain)) throw error;
        undo = (await error.work?.(service, attempt)) ?? undo;
      }
    }
  } finally {
    await undo?.();
  }
  throw new ServiceError("unavailable", "This document is changing too often. Try again shortly.", {
    retryAfterSeconds: 1,
  });
}
