import { createWorld } from "@kb/core/testing";
import { freePort, testDatabase } from "@kb/db/testing";
import type { Offer } from "../../src/index.ts";
import { roundRobin } from "../round-robin.ts";
import { startInstance } from "../setting.ts";

/** An endpoint for the suite: instances behind a proxy that adds the bearer token. */
export type Stand = { readonly url: URL; close(): Promise<void> };

/** Opens the endpoint. Several instances share their sessions in Redis. */
export async function openStand(
  options: { instances?: number; redisUrl?: string; offer?: Offer } = {},
): Promise<Stand> {
  const { instances: count = 1, redisUrl, offer } = options;
  const test = await testDatabase();
  const world = await createWorld(test.database);
  await test.database.client.team.update({ where: { id: world.teamId }, data: { mcpEnabled: true } });
  const port = await freePort();
  const shared = {
    database: test.database,
    appUrl: `http://localhost:${port}`,
    ...(redisUrl === undefined ? {} : { redisUrl }),
    ...(offer === undefined ? {} : { offer }),
  };
  const instances = await Promise.all(Array.from({ length: count }, () => startInstance(shared)));
  const ports = instances.map(({ url }) => Number(url.port));
  const proxy = await roundRobin(ports, { token: world.people.admin.key, port });
  return {
    url: proxy.url,
    close: async () => {
      await proxy.close();
      await Promise.all(instances.map((instance) => instance.close()));
      await test.drop();
    },
  };
}
