import type { Logger } from "@kb/runtime";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import type { Redis } from "ioredis";
import { z } from "zod";
import type { Signal } from "./backplane.ts";

const session = z.string();
const stream = z.string();
const Message = z.unknown().transform((value) => parseJSONRPCMessage(value));

const PublishedSignal = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("closed"), session }),
  z.object({ kind: z.literal("message"), session, message: Message }),
  z.object({ kind: z.literal("appended"), session, stream }),
  z.object({ kind: z.literal("tailed"), session, stream, generation: z.number() }),
]);

/** The signals of all instances, received on one connection per process. */
export type Signals = {
  readonly channel: string;
  listen(listener: (signal: Signal) => void): () => void;
  close(): void;
};

/** Subscribes, and again after each outage. Each subscription emits `missed`, because signals may have been lost. */
export function redisSignals(redis: Redis, logger: Logger): Signals {
  const channel = "kb:mcp:signals";
  const listeners = new Set<(signal: Signal) => void>();
  const subscriber = redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null });
  const emit = (signal: Signal): void => {
    for (const listener of [...listeners]) listener(signal);
  };
  subscriber.on("error", (error: Error) => logger.debug({ reason: error.message }, "Redis subscription"));
  subscriber.on("ready", () => {
    subscriber.subscribe(channel).then(
      () => emit({ kind: "missed" }),
      (error: unknown) => logger.warn({ reason: String(error) }, "Redis did not take the subscription"),
    );
  });
  subscriber.on("message", (_channel: string, text: string) => {
    const published = PublishedSignal.safeParse(JSON.parse(text));
    if (published.success && isSignal(published.data)) emit(published.data);
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

/** Excludes requests, which the receiving instance answers itself. Only notifications and responses are broadcast. */
function isSignal(published: z.output<typeof PublishedSignal>): published is Exclude<Signal, { kind: "missed" }> {
  return published.kind !== "message" || !("method" in published.message && "id" in published.message);
}
