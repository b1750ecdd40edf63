/** An event of a stream of server-sent events. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads a stream of server-sent events; `onBytes` is called for every part, heartbeats included. */
export async function* serverEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerEvent, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of body) {
    onBytes();
    const blocks = (rest + decoder.decode(part, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = field(block, "event");
      const data = field(block, "data");
      if (data !== undefined) yield { event: event ?? "message", data };
    }
  }
}

const field = (block: string, name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
