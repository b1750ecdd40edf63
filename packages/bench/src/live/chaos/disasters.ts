import { setTimeout as pause } from "node:timers/promises";
import type { ChaosSite } from "./chaos-site.ts";
import { type ChaosDocument, problemsOfBackup, writtenIn } from "./check-outcome.ts";

const cutMs = 4_000;

/** The site, the documents, and how often all disasters have happened before: each one hits the next of its kind. */
export type Scene = { readonly site: ChaosSite; readonly documents: readonly ChaosDocument[]; readonly round: number };

/** Something that goes wrong. Returns what is wrong with its outcome. */
type Disaster = (scene: Scene) => Promise<readonly string[]>;

const nothing: readonly string[] = [];

/** The disasters, in the order in which they happen. */
export const disasters: readonly { readonly name: string; readonly happen: Disaster }[] = [
  {
    name: "an instance of the API is killed",
    happen: async ({ site, round }) => {
      await site.kill("api", round);
      return nothing;
    },
  },
  {
    name: "a network is cut",
    happen: async ({ site, round }) => {
      const network = site.networks[round % site.networks.length];
      await network?.cut();
      await pause(cutMs);
      await network?.restore();
      return nothing;
    },
  },
  {
    name: "tabs crash",
    happen: async ({ documents, round }) => {
      for (const { people } of documents) people[round % people.length]?.crash();
      return nothing;
    },
  },
  {
    name: "an instance of the MCP endpoint is killed",
    happen: async ({ site, round }) => {
      await site.kill("mcp", round);
      return nothing;
    },
  },
  {
    name: "the worker is killed",
    happen: async ({ site }) => {
      await site.kill("worker", 0);
      return nothing;
    },
  },
  {
    name: "a network is silent",
    happen: async ({ site, round }) => {
      const network = site.networks[round % site.networks.length];
      network?.pause();
      await pause(cutMs);
      await network?.restore();
      return nothing;
    },
  },
  {
    name: "PostgreSQL is killed",
    happen: async ({ site }) => {
      await site.killDatabase();
      return nothing;
    },
  },
  {
    name: "all processes are restarted, one after another",
    happen: async ({ site }) => {
      await site.restartOneByOne();
      return nothing;
    },
  },
  {
    name: "a backup is made and restored",
    happen: async ({ site, documents, round }) => {
      const before = documents.map((document) => ({ document, written: writtenIn(document) }));
      const restored = await site.restoredBackup(`restored_${round}`);
      try {
        const problems: string[] = [];
        for (const { document, written } of before) {
          problems.push(...(await problemsOfBackup(restored, document, written)));
        }
        return problems;
      } finally {
        await restored.close();
      }
    },
  },
];
