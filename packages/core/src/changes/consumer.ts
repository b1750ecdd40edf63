import type { Tx } from "@kb/db";

/** An event as consumers read it. */
export type ChangeEvent = {
  readonly id: string;
  readonly sequence: bigint | number;
  readonly type: string;
  readonly documentId: string | null;
};

/** Consecutive events of one team, in order. */
export type ChangeBatch = {
  readonly teamId: string;
  readonly events: readonly ChangeEvent[];
  readonly now: Date;
};

/**
 * A reader of the change log that has to see every event, such as webhooks. Its name is the name of its cursors; events
 * are kept until every consumer has read them.
 */
export type ChangeConsumer = {
  readonly name: string;
  /**
   * Handles a batch in the transaction that moves the cursor. Its writes and the cursor commit together, so that each
   * event is handled exactly once. Returns false to leave the batch for a later run.
   */
  readonly consume: (tx: Tx, batch: ChangeBatch) => Promise<boolean>;
};
