/**
 * Bytes as the body of an answer: taken one chunk at a time as the client takes them. A client that hangs up ends the
 * iteration, and with it whatever the bytes come from.
 */
export function byteStream(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await iterator.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
