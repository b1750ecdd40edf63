import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { as, edgeOf, operationOf } from "../test/edge.ts";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";
import { route } from "./route.ts";
import { type Running, type ServeOptions, serve } from "./server.ts";

const started: Running[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.close()));
});

type Served = { running: Running; lifecycle: Lifecycle; url: string };

async function start(fetch: ServeOptions["fetch"], options: Partial<ServeOptions> = {}): Promise<Served> {
  const lifecycle = options.lifecycle ?? createLifecycle();
  const running = await serve({ fetch, hostname: "127.0.0.1", port: 0, drainMs: 2_000, ...options, lifecycle });
  started.push(running);
  return { running, lifecycle, url: `http://127.0.0.1:${running.port}` };
}

/** Sends raw bytes and gives all that comes back until the server ends the connection. */
async function raw(port: number, text: string): Promise<string> {
  const socket: Socket = connect(port, "127.0.0.1");
  socket.setEncoding("latin1");
  let answer = "";
  socket.on("data", (chunk: string) => {
    answer += chunk;
  });
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return answer;
}

const echo = operationOf(
  z.strictObject({ text: z.string().optional() }),
  z.object({ length: z.int() }),
  ({ text = "" }) => ({
    length: text.length,
  }),
);
const rows = [route("post", "/api/v1/echo", echo, { section: "Test" })];

describe("requests over a socket", () => {
  it("a body over 5 MB is 413, with a length and without one [decision.api.body-limit]", async () => {
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

  it("a body just under 5 MB is read whole", async () => {
    const { app } = edgeOf(rows);
    const { url } = await start(app.fetch);
    const response = await fetch(`${url}/api/v1/echo`, as("good", { json: { text: "é".repeat(2_600_000) } }));
    expect(await response.json()).toEqual({ data: { length: 2_600_000 } });
  });

  it("a declared length over the limit is refused before the body is sent", async () => {
    const { app } = edgeOf(rows);
    const { running } = await start(app.fetch);
    const head =
      "POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json";
    expect(await raw(running.port, `${head}\r\nContent-Length: 600000000\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    ["what is no HTTP", "nonsense\r\n\r\n", 400],
    ["a header without a name", "GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n", 400],
    ["headers of 20 kB", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(20_000)}\r\n\r\n`, 431],
    [
      "two framings at once",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
    ],
  ])("%s gets a JSON error and the connection ends", async (_what, text, status) => {
    const { running } = await start(new Hono().fetch);
    const answer = await raw(running.port, text);
    expect(answer.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ code: "validation_error" });
  });

  it.each(["GET /a\\b HTTP/1.1\r\nHost: x", "GET / HTTP/1.1\r\nHost: a b/c", "GET http://[ HTTP/1.1\r\nHost: x"])(
    "an address that no URL can be made of (%j) is 400 with the error body",
    async (head) => {
      const { running } = await start(new Hono().fetch);
      const answer = await raw(running.port, `${head}\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"code":"validation_error"');
    },
  );

  it("a client that dribbles its headers is cut off", async () => {
    const { running } = await start(new Hono().fetch, { headersTimeoutMs: 200 });
    expect(await raw(running.port, "GET / HTTP/1.1\r\nHost: x\r\n")).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("a port that is taken is told", async () => {
    const { running } = await start(new Hono().fetch);
    await expect(start(new Hono().fetch, { port: running.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

describe("shutdown", () => {
  it("drains the requests that run, and takes no new ones", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const app = new Hono();
    app.get("/slow", async (context) => {
      await released;
      return context.text("done");
    });
    const { running, url } = await start(app.fetch);
    const slow = fetch(`${url}/slow`);
    await pause(50);
    const closed = running.close();
    await expect(fetch(`${url}/slow`)).rejects.toThrow();
    release();
    const response = await slow;
    expect(await response.text()).toBe("done");
    await closed;
  });

  it("an open connection learns that it ends: Connection: close", async () => {
    const app = new Hono();
    app.get("/", (context) => context.text("fine"));
    const { running, lifecycle } = await start(app.fetch);
    const agent = new Agent({ keepAlive: true });
    const connectionOf = async (): Promise<string | undefined> => {
      const [response] = await once(request({ port: running.port, host: "127.0.0.1", agent }).end(), "response");
      response.resume();
      await once(response, "end");
      return response.headers.connection;
    };
    expect(await connectionOf()).toBe("keep-alive");
    lifecycle.stop();
    expect(await connectionOf()).toBe("close");
  });

  it("streams end first: an open one does not hold the server back", async () => {
    const lifecycle = createLifecycle();
    const app = new Hono();
    app.get("/events", () => {
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode("data: hello\n\n"));
          lifecycle.signal.addEventListener("abort", () => controller.close());
        },
      });
      return new Response(stream, { headers: { "Content-Type": "text/event-stream" } });
    });
    const { running, url } = await start(app.fetch, { lifecycle, drainMs: 10_000 });
    const response = await fetch(`${url}/events`);
    const startedAt = performance.now();
    await running.close();
    expect(await response.text()).toBe("data: hello\n\n");
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it("a connection that was opened for later does not hold the server back", async () => {
    const { running } = await start(() => new Response("x"), { drainMs: 20_000 });
    const socket = connect(running.port, "127.0.0.1");
    await once(socket, "connect");
    socket.on("error", () => {});
    const startedAt = performance.now();
    await running.close();
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });

  it("half a request does not hold the server back for longer than headers may take", async () => {
    const { running } = await start(() => new Response("x"), { drainMs: 20_000, headersTimeoutMs: 1_500 });
    const socket = connect(running.port, "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n");
    await pause(50);
    const startedAt = performance.now();
    await running.close();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it("before it ends anything it says unready for a while and serves all the same [decision.running.unready]", async () => {
    const lifecycle = createLifecycle();
    const app = new Hono();
    app.get("/", (context) => context.text(`${lifecycle.stopping} ${lifecycle.signal.aborted}`));
    const { running, url } = await start(app.fetch, { lifecycle, unreadyMs: 500 });
    expect(await (await fetch(url)).text()).toBe("false false");
    const startedAt = performance.now();
    const closed = running.close();
    const response = await fetch(url);
    expect([await response.text(), response.headers.get("connection")]).toEqual(["true false", "close"]);
    await closed;
    expect(performance.now() - startedAt).toBeGreaterThan(490);
    expect(lifecycle.signal.aborted).toBe(true);
    await expect(fetch(url)).rejects.toThrow();
  });

  it("what has not ended after the time to drain is cut off", async () => {
    const app = new Hono();
    app.get("/", () => new Promise<Response>(() => {}));
    const { running, url } = await start(app.fetch, { drainMs: 200 });
    const stuck = fetch(url).catch(() => "cut off");
    await pause(50);
    await running.close();
    expect(await stuck).toBe("cut off");
  });
});
