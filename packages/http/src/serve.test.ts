import { type ClientRequest, request as httpRequest } from "node:http";
import { createLifecycle, type RunningServer } from "@kb/runtime";
import { sendRaw } from "@kb/runtime/testing";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { as, edgeOf, operationOf } from "../test/edge.ts";
import { route } from "./route.ts";
import { type Fetch, serve } from "./serve.ts";

const started: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.close()));
});

async function start(fetch: Fetch): Promise<{ running: RunningServer; url: string }> {
  const running = await serve({ fetch, hostname: "127.0.0.1", port: 0, drainMs: 2_000, lifecycle: createLifecycle() });
  started.push(running);
  return { running, url: `http://127.0.0.1:${running.port}` };
}

const echo = operationOf(
  z.strictObject({ text: z.string().optional() }),
  z.object({ length: z.int() }),
  ({ text = "" }) => ({
    length: text.length,
  }),
);
const rows = [route("post", "/api/v1/echo", echo, { section: "Test" })];

/** Begins a POST with the length of a body, which the caller sends. */
function beginPost(url: string, length: number): { call: ClientRequest; status: Promise<number> } {
  const { promise: status, resolve, reject } = Promise.withResolvers<number>();
  const headers = { authorization: "Bearer good", "content-type": "application/json", "content-length": length };
  const call = httpRequest(`${url}/api/v1/echo`, { method: "POST", headers }, (response) => {
    response.resume();
    response.once("end", () => resolve(response.statusCode ?? 0));
  });
  call.once("error", reject);
  return { call, status };
}

describe("requests over a socket", () => {
  it("a body over 5 MB is 413, with and without a Content-Length", {
    meta: { proves: ["decision.api.body-limit"] },
  }, async () => {
    const { app } = edgeOf(rows);
    const { url } = await start(app.fetch);
    const body = JSON.stringify({ text: "x".repeat(6_000_000) });
    const init = as("good", { headers: { "Content-Type": "application/json" } });
    const declared = await fetch(`${url}/api/v1/echo`, { ...init, method: "POST", body });
    expect([declared.status, await declared.json()]).toMatchObject([413, { code: "payload_too_large" }]);
    const chunked = { ...init, method: "POST", body: new Blob([body]).stream(), duplex: "half" };
    const streamed = await fetch(`${url}/api/v1/echo`, chunked);
    expect([streamed.status, await streamed.json()]).toMatchObject([413, { code: "payload_too_large" }]);
  });

  it("a body just under 5 MB is read completely", async () => {
    const { app } = edgeOf(rows);
    const { url } = await start(app.fetch);
    const response = await fetch(`${url}/api/v1/echo`, as("good", { json: { text: "é".repeat(2_600_000) } }));
    expect(await response.json()).toEqual({ data: { length: 2_600_000 } });
  });

  it("a declared length above the limit is rejected before the body is sent", async () => {
    const { app } = edgeOf(rows);
    const { running } = await start(app.fetch);
    const head =
      "POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json";
    expect(await sendRaw(running.port, `${head}\r\nContent-Length: 600000000\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("while slow clients fill a user's room for large bodies, another is 503 once it is sent, and a small one is read", async () => {
    const { app } = edgeOf(rows);
    let arrived = 0;
    const { url } = await start((request, env) => {
      arrived += 1;
      return app.fetch(request, env);
    });
    const body = JSON.stringify({ text: "x".repeat(5_000_000) });
    // 6 of them are read, and 64 wait.
    const slow = Array.from({ length: 70 }, () => beginPost(url, body.length));
    for (const { call } of slow) call.write(body.slice(0, 100));
    await expect.poll(() => arrived).toBe(slow.length);
    const small = await fetch(`${url}/api/v1/echo`, as("good", { json: { text: "é" } }));
    expect(small.status).toBe(200);
    // A client that reads its answer only when it has sent everything.
    const late = beginPost(url, body.length);
    const half = body.length / 2;
    late.call.write(body.slice(0, half), () => late.call.end(body.slice(half)));
    expect(await late.status).toBe(503);
    for (const { call } of slow) call.destroy();
    await Promise.allSettled(slow.map(({ status }) => status));
    const sendNext = (): Promise<number> => {
      const next = beginPost(url, body.length);
      next.call.end(body);
      return next.status;
    };
    await expect.poll(sendNext, { timeout: 10_000 }).toBe(200);
  });

  it.each(["GET /a\\b HTTP/1.1\r\nHost: x", "GET / HTTP/1.1\r\nHost: a b/c", "GET http://[ HTTP/1.1\r\nHost: x"])(
    "an address that is not a valid URL (%j) is 400 with the error body",
    async (head) => {
      const { running } = await start(new Hono().fetch);
      const answer = await sendRaw(running.port, `${head}\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"code":"validation_error"');
    },
  );
});
