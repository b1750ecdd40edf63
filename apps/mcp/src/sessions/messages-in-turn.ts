import { HeavyAnswers, heavyBytes } from "@kb/http";

/** The client that receives an answer. */
export type AnswerReceiver = {
  readonly userId: string;
  /** Ends the wait for a turn when the client disconnects. */
  readonly signal: AbortSignal;
  /** Ends the connection of a client that takes nothing, or too slowly while others wait. */
  readonly disconnect: () => void;
};

/** More may wait than of other answers: those of a batch cannot be refused, and one of each is in memory already. */
export const messageTurns = new HeavyAnswers({ waiting: 256, waitingPerOwner: 32 });

/**
 * Passes the messages of an answer on. From `heavyBytes` on each waits for its turn: between two, a tool may ask a person, for which
 * nobody else is to wait.
 * @throws {ServiceError} `unavailable` if too many wait; `ClientGone` if the client has disconnected
 */
export async function* messagesInTurn(
  messages: AsyncIterable<Uint8Array>,
  { userId, signal, disconnect }: AnswerReceiver,
  turns: HeavyAnswers = messageTurns,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const message of messages) {
    bytes += message.byteLength;
    if (bytes < heavyBytes) {
      yield message;
      continue;
    }
    const { watch, end } = await turns.enter(userId, signal, disconnect);
    try {
      yield* watch([message]);
    } finally {
      end();
    }
  }
}
