import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Streams bytes as the body of an answer, one chunk at a time as the client reads them. A client that disconnects ends the
 * iteration, and so releases the source of the bytes. What makes them counts for the meter of the request, as the rest of it does.
 */
export function byteStream(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  const inRequest = AsyncLocalStorage.snapshot();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await inRequest(() => iterator.next());
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await inRequest(() => iterator.return?.());
      },
    },
    { highWaterMark: 0 },
  );
}
