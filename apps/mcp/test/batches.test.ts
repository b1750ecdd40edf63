import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Offer } from "../src/index.ts";
import { beginSession, type McpWorld, openWorld, post } from "./world.ts";

/** A tool that runs until it is released, and the number of its calls that run. */
const held: (() => void)[] = [];

const offer: Offer = {
  server: () => {
    const server = new McpServer({ name: "fixture", version: "1.0.0" });
    server.registerTool("hold", {}, async () => {
      await new Promise<void>((resolve) => held.push(resolve));
      return { content: [] };
    });
    return server;
  },
  mayRead: async () => true,
};

let opened: McpWorld;
beforeAll(async () => {
  opened = await openWorld({ offer });
});
afterAll(() => opened?.close());

const call = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "hold", arguments: {} } });
const begin = () => beginSession(opened.instance.url, opened.world.people.admin.key, "2025-03-26");
const releaseAll = (): void => {
  for (const release of held.splice(0)) release();
};

describe("a batch", () => {
  it("runs four requests at a time, in their order, and answers all of them", {
    meta: { proves: ["decision.mcp.batch-concurrency"] },
  }, async () => {
    const session = await begin();
    const answer = await post(
      opened.instance.url,
      Array.from({ length: 10 }, (_, id) => call(id)),
      session,
    );
    const text = answer.text();
    const running: number[] = [];
    for (let answered = 0; answered < 10; ) {
      await expect.poll(() => held.length).toBe(Math.min(4, 10 - answered));
      await new Promise((later) => setTimeout(later, 50));
      running.push(held.length);
      const count = held.length;
      releaseAll();
      answered += count;
    }
    expect(running).toEqual([4, 4, 2]);
    const ids = [...(await text).matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
    expect(ids).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("goes on when a request is cancelled: one that waits never runs, and the stream ends", async () => {
    const session = await begin();
    const answer = await post(
      opened.instance.url,
      Array.from({ length: 6 }, (_, id) => call(id)),
      session,
    );
    const text = answer.text();
    await expect.poll(() => held.length).toBe(4);
    for (const requestId of [0, 5]) {
      const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
      expect((await post(opened.instance.url, cancelled, session)).status).toBe(202);
    }
    await expect.poll(() => held.length).toBe(5);
    releaseAll();
    const ids = [...(await text).matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
    expect(ids).toEqual([1, 2, 3, 4]);
    expect(held).toEqual([]);
  });
});
