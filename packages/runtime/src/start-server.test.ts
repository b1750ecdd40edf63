import { once } from "node:events";
import { Agent, type RequestListener, request } from "node:http";
import { connect } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { afterEach, describe, expect, it } from "vitest";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";
import { type RunningServer, type ServerOptions, startServer } from "./start-server.ts";
import { sendRaw } from "./testing/send-raw.ts";

const started: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.close()));
});

type Served = { running: RunningServer; lifecycle: Lifecycle; url: string };

const answerFine: RequestListener = (_request, response) => void response.end("fine");

async function start(listener: RequestListener, options: Partial<ServerOptions> = {}): Promise<Served> {
  const lifecycle = options.lifecycle ?? createLifecycle();
  const fixed = { listener, hostname: "127.0.0.1", port: 0, drainMs: 2_000 };
  const running = await startServer({ ...fixed, ...options, lifecycle });
  started.push(running);
  return { running, lifecycle, url: `http://127.0.0.1:${running.port}` };
}

describe("requests over a socket", () => {
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
    const { running } = await start(answerFine);
    const answer = await sendRaw(running.port, text);
    expect(answer.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ code: "validation_error" });
  });

  it("a client that sends its headers too slowly is disconnected", async () => {
    const { running } = await start(answerFine, { headersTimeoutMs: 200 });
    expect(await sendRaw(running.port, "GET / HTTP/1.1\r\nHost: x\r\n")).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("a port in use is reported", async () => {
    const { running } = await start(answerFine);
    await expect(start(answerFine, { port: running.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

describe("requests in one write", () => {
  it("are run one after the other, and answered in their order", async () => {
    let running = 0;
    let most = 0;
    const { running: server } = await start(async (incoming, response) => {
      running += 1;
      most = Math.max(most, running);
      const text = await textOf(incoming);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      response.end(`${incoming.url} ${text};`);
    });
    const gets = Array.from({ length: 1_000 }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`).join("");
    const body = "x".repeat(200_000);
    const post = `POST /post HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const last = "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const answers = await sendRaw(server.port, `${post}${gets}${post}${last}`);
    const paths = [...answers.matchAll(/(\/\w+) (x*);/g)].map(([, path, text]) => `${path} ${text?.length}`);
    const numbers = Array.from({ length: 1_000 }, (_, n) => `/${n} 0`);
    expect(paths).toEqual([`/post ${body.length}`, ...numbers, `/post ${body.length}`, "/last 0"]);
    expect(most).toBe(1);
  });

  it("let other clients have their turn", async () => {
    const { running, url } = await start(answerFine);
    const socket = connect(running.port, "127.0.0.1");
    let answered = 0;
    socket.on("data", (chunk) => {
      answered += chunk.toString("latin1").split("HTTP/1.1 200").length - 1;
    });
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20_000));
    await once(socket, "data");
    expect(await (await fetch(url)).text()).toBe("fine");
    expect(answered).toBeLessThan(20_000);
    socket.destroy();
  });

  it("are dropped when their connection ends", async () => {
    const started = new Set<string | undefined>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { running, url } = await start(async (incoming, response) => {
      started.add(incoming.url);
      if (incoming.url === "/slow") await released;
      response.end("fine");
    });
    const socket = connect(running.port, "127.0.0.1");
    socket.write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET /waiting HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(() => started.has("/slow")).toBe(true);
    socket.destroy();
    release();
    await fetch(`${url}/other`);
    expect([...started]).toEqual(["/slow", "/other"]);
  });
});

describe("a client that takes nothing of its answer", () => {
  const stalledMs = 300;
  const longText = "x".repeat(64_000_000);
  const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

  it("is disconnected", async () => {
    const closed = Promise.withResolvers<void>();
    const answer: RequestListener = (_request, response) => {
      response.once("close", closed.resolve).end(longText);
    };
    const { running } = await start(answer, { stalledMs });
    const socket = connect(running.port, "127.0.0.1").pause();
    socket.on("error", () => {});
    socket.write(get);
    await closed.promise;
    socket.destroy();
  });

  it("stays while it takes a little now and then", async () => {
    const { running } = await start((_request, response) => void response.end(longText), { stalledMs: 1_500 });
    const socket = connect({ port: running.port, host: "127.0.0.1" });
    socket.write(get);
    let bytes = 0;
    socket.on("data", (chunk) => {
      bytes += chunk.length;
      // About 40 pauses, together twice as long as the limit.
      if (bytes % 1_600_000 < chunk.length) {
        socket.pause();
        setTimeout(() => socket.resume(), 80);
      }
    });
    await expect.poll(() => bytes, { timeout: 20_000 }).toBeGreaterThan(longText.length);
    socket.destroy();
  });

  it("is not one whose answer takes long to begin, or whose stream is silent between two messages", async () => {
    const { url } = await start(
      async (_request, response) => {
        await pause(3 * stalledMs);
        response.write("first");
        await pause(3 * stalledMs);
        response.end(" second");
      },
      { stalledMs },
    );
    expect(await (await fetch(url)).text()).toBe("first second");
  });
});

describe("shutdown", () => {
  it("completes running requests and accepts no new ones", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { running, url } = await start(async (_request, response) => {
      await released;
      response.end("done");
    });
    const slow = fetch(`${url}/slow`);
    await pause(50);
    const closed = running.close();
    await expect(fetch(`${url}/slow`)).rejects.toThrow();
    release();
    const response = await slow;
    expect(await response.text()).toBe("done");
    await closed;
  });

  it("announces the end of an open connection with Connection: close", async () => {
    const { running, lifecycle } = await start(answerFine);
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

  it("ends streams first, so that an open stream does not delay the shutdown", async () => {
    const lifecycle = createLifecycle();
    const stream: RequestListener = (_request, response) => {
      response.setHeader("Content-Type", "text/event-stream").write("data: hello\n\n");
      lifecycle.signal.addEventListener("abort", () => response.end());
    };
    const { running, url } = await start(stream, { lifecycle, drainMs: 10_000 });
    const response = await fetch(`${url}/events`);
    const elapsedMs = startStopwatch();
    await running.close();
    expect(await response.text()).toBe("data: hello\n\n");
    expect(elapsedMs()).toBeLessThan(2_000);
  });

  it("is not delayed by an idle connection", async () => {
    const { running } = await start(answerFine, { drainMs: 20_000 });
    const socket = connect(running.port, "127.0.0.1");
    await once(socket, "connect");
    socket.on("error", () => {});
    const elapsedMs = startStopwatch();
    await running.close();
    expect(elapsedMs()).toBeLessThan(4_000);
  });

  it("is not delayed by an incomplete request for longer than the header timeout", async () => {
    const { running } = await start(answerFine, { drainMs: 20_000, headersTimeoutMs: 1_500 });
    const socket = connect(running.port, "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n");
    await pause(50);
    const elapsedMs = startStopwatch();
    await running.close();
    expect(elapsedMs()).toBeLessThan(5_000);
  });

  it("reports the process as unready for a while, and still answers requests", {
    meta: { proves: ["decision.running.unready"] },
  }, async () => {
    const lifecycle = createLifecycle();
    const tellState: RequestListener = (_request, response) =>
      void response.end(`${lifecycle.stopping} ${lifecycle.signal.aborted}`);
    const { running, url } = await start(tellState, { lifecycle, unreadyMs: 500 });
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

  it("disconnects everything that has not ended after the drain time", async () => {
    const { running, url } = await start(() => {}, { drainMs: 200 });
    const stuck = fetch(url).catch(() => "cut off");
    await pause(50);
    await running.close();
    expect(await stuck).toBe("cut off");
  });
});
