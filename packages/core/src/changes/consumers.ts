import { queueDeliveries } from "../webhooks/queue-deliveries.ts";
import type { ChangeConsumer } from "./consumer.ts";

/** Every consumer of the change log. Add a consumer as an entry here. */
export const consumers: readonly ChangeConsumer[] = [{ name: "webhooks", consume: queueDeliveries }];

/** The names under which cursors are kept. */
export const consumerNames: readonly string[] = consumers.map(({ name }) => name);
