import type { Logger } from "@kb/http";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import type { Redis } from "ioredis";
import { z } from "zod";
import type { Signal } from "./backplane.ts";

const session = z.string();
const stream = z.string();
const Message = z.unknown().transform((value) => parseJSONRPCMessage(value));

const Heard = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("closed"), session }),
  z.object({ kind: z.literal("message"), session, message: Message }),
  z.object({ kind: z.literal("appended"), session, stream }),
  z.object({ kind: z.literal("tailed"), session, stream, generation: z.number() }),
]);

/** The signals of all instances, on one subscribed connection for the whole process. */
export type Signals = {
  readonly channel: string;
  listen(listener: (signal: Signal) => void): () => void;
  close(): void;
};

/** Subscribes, again after each outage: what was said in between is told as `missed`. */
export function redisSignals(redis: Redis, logger: Logger): Signals {
  const channel = "kb:mcp:signals";
  const listeners = new Set<(signal: Signal) => void>();
  const subscriber = redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null });
  const tell = (signal: Signal): void => {
    for (const listener of [...listeners]) listener(signal);
  };
  subscriber.on("error", (error: Error) => logger.debug({ reason: error.message }, "Redis subscription"));
  subscriber.on("ready", () => {
    subscriber.subscribe(channel).then(
      () => tell({ kind: "missed" }),
      (error: unknown) => logger.warn({ reason: String(error) }, "Redis did not take the subscription"),
    );
  });
  subscriber.on("message", (_channel: string, text: string) => {
    const heard = Heard.safeParse(JSON.parse(text));
    if (heard.success && isSignal(heard.data)) tell(heard.data);
    else logger.warn("a signal of another version was not understood");
  });
  return {
    channel,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => subscriber.disconnect(),
  };
}

/** A message between instances is a notification or an answer: requests are answered by whoever gets them. */
function isSignal(heard: z.output<typeof Heard>): heard is Exclude<Signal, { kind: "missed" }> {
  return heard.kind !== "message" || !("method" in heard.message && "id" in heard.message);
}
