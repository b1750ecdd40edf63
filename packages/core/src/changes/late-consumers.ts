import type { Service } from "../context.ts";
import { type ConsumerLag, readConsumerLags } from "./lag.ts";

/** The minimum time that an event is kept. After it, the event is kept until every consumer has read it. */
export const eventTtlMs = 30 * 24 * 60 * 60 * 1000;

/** Finds the consumers for which old events are kept. */
export async function findLateConsumers(service: Pick<Service, "database" | "clock">): Promise<ConsumerLag[]> {
  return (await readConsumerLags(service)).filter(({ oldestSeconds }) => oldestSeconds * 1000 > eventTtlMs);
}
