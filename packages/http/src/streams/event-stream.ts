/** A comment is sent this often, because proxies end connections that stay silent. */
const heartbeatMs = 15_000;

/** The time after which a client that lost the stream connects again, in milliseconds. */
export const retryMs = 500;

/** One message of a stream. */
export type StreamMessage = {
  /** The position after which a client continues that names this id. */
  readonly id: string;
  /** The type that a browser listens to. Default `message`. */
  readonly event?: string;
  readonly data: unknown;
  /** Whether other streams send the same message, with the same object as data: it is written once for all of them. */
  readonly isShared?: boolean;
};

/** One open stream of server-sent events. */
export type EventStream = {
  readonly response: Response;
  send(message: StreamMessage): void;
  /** Ends the stream after what was sent. */
  end(): void;
};

export type EventStreamOptions = {
  /** Bytes that wait for a client that does not read. Above this the stream ends, and the client has to connect again. */
  readonly maxWaitingBytes: number;
  /** The first lines of the stream. */
  readonly opening: string;
  /** Returns the lines of a heartbeat. Default: a comment. */
  readonly heartbeat?: () => string;
  /** Called once, whichever side ends the stream. */
  readonly onEnd: () => void;
};

/** The headers of a stream: no proxy may buffer, store or compress it. */
export const streamHeaders = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
} as const;

/** Opens a stream of server-sent events. */
export function eventStream(options: EventStreamOptions): EventStream {
  const { maxWaitingBytes, opening, heartbeat = () => ": alive\n\n", onEnd } = options;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const write = (bytes: Uint8Array): void => {
    if (controller === undefined) return;
    controller.enqueue(bytes);
    if ((controller.desiredSize ?? 0) < 0) end();
  };
  const beating = setInterval(() => write(encoder.encode(heartbeat())), heartbeatMs);
  const end = (): void => {
    if (controller === undefined) return;
    const ending = controller;
    controller = undefined;
    clearInterval(beating);
    ending.close();
    onEnd();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (opened) => {
        controller = opened;
      },
      cancel: () => {
        if (controller === undefined) return;
        controller = undefined;
        clearInterval(beating);
        onEnd();
      },
    },
    { highWaterMark: maxWaitingBytes, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  write(encoder.encode(opening));
  return { response: new Response(body, { headers: streamHeaders }), send: (message) => write(bytesOf(message)), end };
}

const encoder = new TextEncoder();
/** The messages that several streams send, by their data. */
const sharedBytes = new WeakMap<object, Uint8Array>();

function bytesOf(message: StreamMessage): Uint8Array {
  const { data, isShared = false } = message;
  if (!isShared || typeof data !== "object" || data === null) return encoder.encode(linesOf(message));
  const known = sharedBytes.get(data) ?? encoder.encode(linesOf(message));
  sharedBytes.set(data, known);
  return known;
}

/** JSON has no line break, so that the data is one line. */
const linesOf = ({ id, event = "message", data }: StreamMessage): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
