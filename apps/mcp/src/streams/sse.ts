import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/** Every so often a comment keeps the connection alive through proxies that end silent ones. */
const heartbeatMs = 15_000;

/** A client that does not read holds at most this much of ours, in bytes: then it has to come again. */
const maxWaitingBytes = 4 * 1024 * 1024;

/** How soon a client that lost the stream comes again, in milliseconds. */
export const retryMs = 500;

/** One open stream of server-sent events. */
export type EventStream = {
  readonly response: Response;
  /** Sends a message; `id` is what the client names to go on after it. */
  send(id: string, message: JSONRPCMessage): void;
  end(): void;
};

/** The headers of a stream: no proxy may hold it back, store it or compress it. */
export const streamHeaders = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
} as const;

/**
 * Opens a stream. `primed` gives the client an id to come back with before there is any message; clients of revisions
 * that do not know an event without data get a comment instead. `onEnd` is called once, whoever ends it.
 */
export function eventStream(options: { primed: string | null; onEnd: () => void }): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const write = (text: string): void => {
    if (controller === undefined) return;
    controller.enqueue(encoder.encode(text));
    if ((controller.desiredSize ?? 0) < 0) end();
  };
  const heartbeat = setInterval(() => write(": alive\n\n"), heartbeatMs);
  const end = (): void => {
    if (controller === undefined) return;
    const ending = controller;
    controller = undefined;
    clearInterval(heartbeat);
    ending.close();
    options.onEnd();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (opened) => {
        controller = opened;
      },
      cancel: () => {
        if (controller === undefined) return;
        controller = undefined;
        clearInterval(heartbeat);
        options.onEnd();
      },
    },
    { highWaterMark: maxWaitingBytes, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  write(options.primed === null ? ": open\n\n" : `id: ${options.primed}\nretry: ${retryMs}\ndata: \n\n`);
  return {
    response: new Response(body, { headers: streamHeaders }),
    send: (id, message) => write(`event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`),
    end,
  };
}
