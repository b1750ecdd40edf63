import { createServer, type Server } from "node:http";
import { admin, invoke, operations } from "@kb/core";
import { sessionCallerOf } from "@kb/core/testing";
import { sql } from "@kb/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ObservedService, startObservedService } from "./observed-service.ts";

const password = "a password for this test";

describe("a service whose requests use every connection available to them", () => {
  let observed: ObservedService;
  let receiver: Server;
  let received = 0;
  let release: () => Promise<void>;

  beforeAll(async () => {
    observed = await startObservedService({}, { poolMax: 5 });
    receiver = createServer((request, response) => {
      received += 1;
      request.resume();
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const { world, database } = observed;
    await admin.setPassword(world.service, world.people.editor.email, password);
    const address = receiver.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const app = await sessionCallerOf(world, world.people.admin);
    await app.run(operations.createWebhook, { url: `http://127.0.0.1:${port}/`, events: ["document.*"] });
    release = await holdConnections(database, 4);
  });
  afterAll(async () => {
    await release?.();
    await observed?.close();
    receiver?.close();
  });

  it("still accepts logins, reports its health and delivers webhooks, while requests get 503", {
    meta: { proves: ["decision.running.reserved-connections"] },
    timeout: 60_000,
  }, async () => {
    const { world, database } = observed;
    expect((await observed.send(null, "GET", "/api/health")).status).toBe(200);
    const form = await fetch(`${observed.url}/login`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(await form.text())?.[1] ?? "";
    const cookie = form.headers
      .getSetCookie()
      .map((set) => set.split(";")[0])
      .join("; ");
    const body = new URLSearchParams({ csrf, email: world.people.editor.email, password, return_to: "/docs" });
    const headers = { Cookie: cookie, Origin: observed.url.replace("127.0.0.1", "localhost") };
    const answer = await fetch(`${observed.url}/login`, { method: "POST", body, headers, redirect: "manual" });
    expect(answer.status).toBe(303);
    await database.withReservedConnections(() =>
      invoke(world.service, operations.createDocument, world.people.admin.actor, {
        collectionId: world.collections.open,
        text: "Delivered.",
        publish: true,
      }),
    );
    await expect.poll(() => received, { timeout: 20_000 }).toBeGreaterThan(0);
    const refused = await observed.send(world.people.viewer, "GET", "/api/v1/documents");
    expect({ status: refused.status, retryAfter: refused.headers.has("Retry-After") }).toEqual({
      status: 503,
      retryAfter: true,
    });
  });
});

/** Holds connections as slow requests do, until the returned function is called. */
async function holdConnections(database: ObservedService["database"], count: number): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  const started: Promise<void>[] = [];
  const held = Array.from({ length: count }, () => {
    const holding = Promise.withResolvers<void>();
    started.push(holding.promise);
    const options = { timeoutMs: 60_000 };
    return database.transaction(async (tx) => {
      await tx.rows(sql`SET LOCAL idle_in_transaction_session_timeout = 0`);
      holding.resolve();
      await released.promise;
    }, options);
  });
  await Promise.all(started);
  return async () => {
    released.resolve();
    await Promise.all(held);
  };
}
