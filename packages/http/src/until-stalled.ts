/** Time that a client has to take a part of an answer. */
const stalledAfterMs = 30_000;

/**
 * Sends the parts of an answer, and calls `onEnd` when it has been sent or its client has disconnected. Calls `onEnd` and
 * `disconnect` when the client takes nothing for 30 seconds, because the memory of the answer is needed by others.
 */
export async function* untilStalled(
  parts: AsyncIterable<Uint8Array>,
  onEnd: () => void,
  disconnect: () => void,
): AsyncGenerator<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  const stall = (): void => {
    onEnd();
    disconnect();
  };
  try {
    for await (const part of parts) {
      timer = setTimeout(stall, stalledAfterMs);
      timer.unref();
      yield part;
      clearTimeout(timer);
    }
  } finally {
    clearTimeout(timer);
    onEnd();
  }
}
