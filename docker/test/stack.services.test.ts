import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type DocumentView, invoke, operations } from "@kb/core";
import { cases, cells, columns, inApp, operationNames, type Scene, setScene } from "@kb/core/testing";
import { statusOf } from "@kb/http";
import { callOverRest, type One, type Route, routesOf } from "@kb/http/testing";
import { testBrowser } from "@kb/testing/browser";
import jszip from "jszip";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryProvider } from "../../apps/kb/test/connect/memory-provider.ts";
import { lines } from "../../apps/kb/test/connect/official-clients.ts";
import { approve, password } from "../../apps/kb/test/connect/test-service.ts";
import { contentOf, currentClient, oldClient } from "../../apps/mcp/test/clients.ts";
import { openReceiver } from "../../apps/worker/test/receiver.ts";
import { type Answer, failures, startLoad } from "./load.ts";
import { changeGuide, requestsOf, type TestStack, unopenedTestStack } from "./test-stack.ts";

// The long run of the restarts: KB_ROLLING_REQUESTS=20000 KB_ROLLING_PER_SECOND=200 pnpm test:services docker/test/stack
const rollingRequests = Number(process.env.KB_ROLLING_REQUESTS ?? 500);
const perSecond = Number(process.env.KB_ROLLING_PER_SECOND ?? 50);
const answerWithinMs = 5_000;
const stopWithinMs = 5_000;
const serviceBackMs = 5_000;

const unopened = unopenedTestStack();
let running: TestStack;
beforeAll(async () => {
  running = await unopened.open();
}, 300_000);
afterAll(() => unopened.close());

describe("the images", () => {
  it("hold the program, its threads, the packages with native code and the folders that it reads, and nothing of the development", () => {
    const program = ["main.js", "main.js.LEGAL.txt", "main.js.map", "package.json"];
    const threads = ["body-thread.js", "body-thread.js.map", "worker.js", "worker.js.map"];
    const threaded = [...threads, ...program].sort();
    const native = [...threaded, "node_modules"].sort();
    const importing = ["import-thread.js", "import-thread.js.LEGAL.txt", "import-thread.js.map"];
    const holds = new Map(
      [...running.stack.images].map(([app, { root, workdir }]) => [app, readdirSync(join(root, workdir)).sort()]),
    );
    expect(Object.fromEntries(holds)).toEqual({
      api: native,
      oauth: native,
      web: [...native, "client"].sort(),
      mcp: threaded,
      worker: [...native, ...importing].sort(),
      kb: [...native, ...importing, "client", "prisma", "welcome"].sort(),
    });
    for (const { root, workdir } of running.stack.images.values()) {
      const packages = execFileSync("find", [join(root, workdir), "-name", "package.json", "-path", "*node_modules*"]);
      for (const path of String(packages).split("\n").filter(Boolean)) {
        expect(path).toMatch(
          /node_modules\/(@node-rs\/argon2(-[a-z0-9-]+)?|@prisma\/schema-engine-wasm)\/package\.json$/,
        );
      }
    }
  });

  it("run as nobody in particular, on files that nobody may change but the volume of attachments", () => {
    for (const { root, workdir, user, volumes } of running.stack.images.values()) {
      expect([user, volumes]).toEqual(["1000:1000", ["/data"]]);
      expect(statSync(join(root, workdir)).mode & 0o222).toBe(0);
      expect(statSync(join(root, workdir, "main.js")).mode & 0o222).toBe(0);
    }
    if (process.getuid?.() !== 0) return;
    for (const [name, { child, launch }] of running.stack.running) {
      const uid = statSync(`/proc/${child.pid}`).uid;
      expect([name, uid]).toEqual([name, launch.user === "" ? 0 : 1000]);
    }
  });
});

/** The answers of operations that need more than a permission: no site has the picture to copy. */
const answers = new Map([["attachments.copy", "validation_error"]]);

describe("the whole service behind the proxy", () => {
  it("every operation of REST answers by its contract to somebody who may", async () => {
    // A separate world, because the operations change passwords, suspend users and delete documents.
    const scene: Scene = await setScene(await running.anotherWorld());
    const described = routesOf(await (await fetch(`${running.stack.origin}/openapi.json`)).json());
    const routes = new Map(described.map((route): [string, Route] => [String(route.operation.operationId), route]));
    const differences: string[] = [];
    let asked = 0;
    for (const name of operationNames) {
      const route = routes.get(name);
      const column = columns.find((each) => cells.get(name)?.[each] === "allowed");
      if (route === undefined || column === undefined) continue;
      const credential = await scene.credential(column);
      const input = (await cases[name]?.(scene)) ?? {};
      const outcome = await callOverRest(route, running.as(credential), input, statusOf);
      if (outcome !== (answers.get(name) ?? "allowed")) differences.push(`${name} as ${column}: ${outcome}`);
      asked += 1;
    }
    await scene.archiveCollection(false);
    expect(differences).toEqual([]);
    expect(asked).toBeGreaterThan(80);
  }, 60_000);

  it("each path comes to the app that owns it; POST on the bare domain is 405", {
    meta: { proves: ["decision.running.compose"] },
  }, async () => {
    const { origin } = running.stack;
    const bare = await fetch(origin, { method: "POST", body: "{}" });
    expect([bare.status, await bare.json()]).toEqual([405, expect.objectContaining({ error: expect.any(String) })]);
    const owner = async (path: string, Accept = "*/*"): Promise<unknown> => {
      const answer = await fetch(origin + path, { redirect: "manual", headers: { Accept } });
      return [answer.status, answer.headers.get("content-type")?.split(";")[0]];
    };
    // To the log-in page.
    expect(await owner("/")).toEqual([303, undefined]);
    expect(await owner("/assets/none.js")).toEqual([404, "application/json"]);
    expect(await owner("/nowhere")).toEqual([404, "application/json"]);
    expect(await owner("/nowhere", "text/html")).toEqual([404, "text/html"]);
    expect(await owner("/docs")).toEqual([200, "text/html"]);
    expect(await owner("/login")).toEqual([200, "text/html"]);
    expect(await owner("/api/mcp")).toEqual([401, "application/json"]);
    expect(await owner("/.well-known/oauth-authorization-server")).toEqual([200, "application/json"]);
    expect(await owner("/.well-known/oauth-protected-resource/api/mcp")).toEqual([200, "application/json"]);
    expect(await owner("/oauth/token")).toEqual([405, "application/json"]);
  });

  it("a person logs in by the form, is known to the API, and logs out", async () => {
    const { origin } = running.stack;
    const browser = testBrowser({ request: (url, init) => fetch(url, { ...init, redirect: "manual" }) }, { origin });
    const { email } = running.world.people.editor;
    const entered = await browser.submit(await browser.get("/login"), "/login", { email, password });
    expect(entered.status).toBe(303);
    expect((await browser.get("/api/session.me")).status).toBeOneOf([200, 404, 405]);
    const left = await browser.submit(await browser.get("/logout"), "/logout", {});
    expect(left.status).toBe(303);
  });

  it("a file goes up and comes back from any instance, whole and in part", async () => {
    const bytes = Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n".padEnd(300_000, " "));
    const given = { name: "plan.pdf", contentType: "application/pdf", size: bytes.byteLength };
    const registered = await running
      .as(running.world.people.editor)
      .post<One<{ uploadUrl: string; method: string; headers: Record<string, string>; attachment: { url: string } }>>(
        "/api/attachments.upload",
        given,
      );
    const { uploadUrl, method, headers, attachment } = registered.body.data;
    expect(new URL(attachment.url).origin).toBe(running.stack.origin);
    expect((await fetch(uploadUrl, { method, headers, body: bytes })).status).toBe(200);
    for (let count = 0; count < 4; count += 1) {
      const whole = await fetch(attachment.url);
      expect([whole.status, Buffer.compare(Buffer.from(await whole.arrayBuffer()), bytes)]).toEqual([200, 0]);
      const part = await fetch(attachment.url, { headers: { Range: "bytes=0-7" } });
      expect([part.status, await part.text()]).toEqual([206, "%PDF-1.4"]);
    }
  });

  it("a collection comes out as an archive", async () => {
    const { people, collections } = running.world;
    const answer = await fetch(`${running.stack.origin}/api/v1/collections.export?id=${collections.open}`, {
      headers: { Authorization: `Bearer ${people.admin.key}` },
    });
    expect(answer.status).toBe(200);
    const archive = await jszip.loadAsync(await answer.arrayBuffer());
    expect(Object.keys(archive.files).some((name) => name.endsWith("Guide.md"))).toBe(true);
  });

  it("an event comes to a webhook by the worker, signed", async () => {
    const receiver = await openReceiver();
    try {
      const webhook = { url: `${receiver.url}/hook`, events: ["document.updated"] };
      const { secret } = await invoke(
        running.world.service,
        operations.createWebhook,
        inApp(running.world.people.admin),
        webhook,
      );
      await changeGuide(running, `# Guide\n\nChanged ${Date.now()}.\n`);
      await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBeGreaterThan(0);
      const [first] = receiver.received;
      if (first === undefined) throw new Error("nothing came");
      const headers = Object.fromEntries(Object.entries(first.headers).map(([name, value]) => [name, String(value)]));
      expect(new Webhook(secret).verify(first.body, headers)).toMatchObject({ type: "document.updated" });
    } finally {
      await receiver.close();
    }
  }, 30_000);

  it("the command line works beside it, in its own image", async () => {
    const { code, output } = await running.stack.runOnce("kb", ["doctor", "--json"]);
    expect([code, JSON.parse(output.trim().split("\n").at(-1) ?? "")]).toEqual([0, expect.any(Object)]);
  }, 30_000);

  it("the limit of requests is of the client's own address, whatever it claims, and of all instances together", async () => {
    const remaining = (localAddress: string, claimed?: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = claimed === undefined ? {} : { "X-Forwarded-For": claimed };
        httpRequest(`${running.stack.origin}/api/v1/me`, { localAddress, headers, family: 4 }, (answer) => {
          answer.resume();
          resolve(Number(answer.headers["x-ratelimit-remaining"]));
        })
          .on("error", reject)
          .end();
      });
    const first = await remaining("127.0.0.5");
    for (let count = 1; count <= 6; count += 1)
      expect(await remaining("127.0.0.5", `10.1.2.${count}`)).toBe(first - count);
    expect(await remaining("127.0.0.6")).toBe(first);
  });
});

describe("assistants behind the proxy", () => {
  it.each(lines.map((line) => [line.name, line] as const))(
    "%s finds the way, is allowed, and calls a tool",
    async (_, line) => {
      const provider = new MemoryProvider();
      const first = line.connect(running.mcp, provider);
      await expect(first.open()).rejects.toThrow(/unauthorized/i);
      await first.finish(
        await approve(running.stack.origin, provider.lastAsked.href, { by: running.world.people.editor }),
      );
      await first.close();
      const second = line.connect(running.mcp, provider);
      await second.open();
      expect(await second.call("list_collections")).toMatchObject({
        structuredContent: { collections: expect.any(Array) },
      });
      await second.close();
    },
    30_000,
  );

  it("both eras receive a change as it happens: the proxy does not buffer streams", async () => {
    const { key } = running.world.people.admin;
    const uri = `kb://documents/${running.world.documents.guide.id}`;
    const old = await oldClient(running.mcp, key);
    await old.client.subscribeResource({ uri });
    const current = await currentClient(running.mcp, key, { pin: "2026-07-28" });
    const listening = await current.client.listen({ resourceSubscriptions: [uri] });
    const told = `notifications/resources/updated ${uri}`;
    try {
      await expect.poll(() => running.stack.running.size).toBeGreaterThan(0);
      await pause(500);
      for (let count = 1; count <= 3; count += 1) {
        await changeGuide(running, `# Guide\n\nChange ${count}, ${Date.now()}.\n`);
        await expect.poll(() => [old.heard.length, current.heard.length], { timeout: 3_000 }).toEqual([count, count]);
      }
      expect([...old.heard, ...current.heard]).toEqual(Array(6).fill(told));
      expect(contentOf(await old.client.callTool({ name: "list_collections", arguments: {} }))).toHaveProperty(
        "collections",
      );
    } finally {
      await listening.close();
      await Promise.all([old.close(), current.close()]);
    }
  }, 30_000);
});

/** Returns whether a request was served: no error of the service, no broken connection, no error of a tool. */
const isServed = ({ status, text }: Answer): boolean =>
  status >= 200 && status < 500 && !text.includes('"isError":true') && !/"error":\{"code"/.test(text);

describe("under load", () => {
  it(`every instance is restarted in turn under ${perSecond} requests a second: none of ${rollingRequests} fails, and SIGTERM with open streams ends each within 5 s`, {
    timeout: 400_000,
    meta: { proves: ["decision.running.unready", "decision.running.stop"] },
  }, async () => {
    const { stack } = running;
    const streams = await Promise.all([1, 2, 3, 4].map(() => oldClient(running.mcp, running.world.people.admin.key)));
    const load = startLoad({ origin: stack.origin, perSecond, count: rollingRequests, requests: requestsOf(running) });
    let loading = true;
    const done = load.done.finally(() => (loading = false));
    const took = new Map<string, number>();
    let rounds = 0;
    // Replaces one instance after the other, as the guide says.
    while (loading || rounds < 1) {
      for (const name of ["api-1", "mcp-1", "oauth-1", "web-1", "api-2", "mcp-2", "oauth-2", "web-2", "worker"]) {
        const ms = await stack.service(name).end("SIGTERM");
        expect([name, stack.service(name).child.exitCode]).toEqual([name, 0]);
        took.set(name, Math.max(ms, took.get(name) ?? 0));
        await stack.start(name);
      }
      rounds += 1;
    }
    const answers = await done;
    await Promise.all(streams.map((stream) => stream.close()));
    const slowest = Math.max(...answers.map((answer) => answer.tookMs));
    const stops = [...took].map(([name, ms]) => `${name} ${Math.round(ms)}`).join(", ");
    console.info(
      `${answers.length} answers over ${rounds} rounds, the slowest ${Math.round(slowest)} ms; stops in ms: ${stops}`,
    );
    expect(failures(answers, isServed)).toEqual([]);
    expect(answers.length).toBe(rollingRequests);
    for (const [name, ms] of took) expect([name, ms < stopWithinMs]).toEqual([name, true]);
  });

  it("an instance that dies takes no request with it that only reads, and the next ones go to the other", async () => {
    const { stack } = running;
    const load = startLoad({ origin: stack.origin, perSecond: 30, requests: requestsOf(running) });
    await pause(1_000);
    for (const name of ["api-1", "mcp-1", "oauth-1"]) await stack.service(name).end("SIGKILL");
    await pause(1_500);
    for (const name of ["api-1", "mcp-1", "oauth-1"]) await stack.start(name);
    const answers = await load.stop();
    expect(failures(answers, (answer) => isServed(answer) || ["create", "tool"].includes(answer.name))).toEqual([]);
    // Only a dying instance can fail requests: a handful of writes, answered with 503.
    const lost = answers.filter((answer) => !isServed(answer));
    expect(lost.every((answer) => answer.status === 503)).toBe(true);
    expect(lost.length).toBeLessThan(10);
  }, 60_000);

  it("Redis dies and comes back: no request over REST is answered with 5xx", async () => {
    const { stack } = running;
    const load = startLoad({ origin: stack.origin, perSecond: 30, requests: requestsOf(running) });
    await pause(500);
    await stack.service("redis").end("SIGKILL");
    await pause(2_000);
    await stack.start("redis");
    await pause(1_000);
    const answers = await load.stop();
    expect(failures(answers, isServed)).toEqual([]);
    await expect.poll(async () => (await fetch(`${stack.origin}/api/health`)).status, { timeout: 10_000 }).toBe(200);
  }, 60_000);

  it("an app without any instance is 503 with the service's own error in time, and the others go on", async () => {
    const { stack } = running;
    await Promise.all(["mcp-1", "mcp-2"].map((name) => stack.service(name).end("SIGKILL")));
    const startedAt = performance.now();
    const answer = await fetch(running.mcp, { method: "POST", body: "{}" });
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "unavailable" }]);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(performance.now() - startedAt).toBeLessThan(answerWithinMs);
    expect((await running.as(running.world.people.editor).get("/api/v1/me")).status).toBe(200);
    await Promise.all(["mcp-1", "mcp-2"].map((name) => stack.start(name)));
    await expect.poll(async () => (await fetch(running.mcp)).status, { timeout: serviceBackMs }).toBe(401);
  }, 60_000);

  const faults: [string, () => Promise<void>, () => Promise<void>][] = [
    ["restarts", () => running.stack.restartPostgres(), async () => {}],
    ["is cut off", () => running.stack.database.cut(), () => running.stack.database.restore()],
    ["answers 2 s late", async () => running.stack.database.delay(2_000), () => running.stack.database.restore()],
    ["drips", async () => running.stack.database.drip(100), () => running.stack.database.restore()],
    ["resets its connections", async () => running.stack.database.reset(), async () => {}],
  ];
  it.each(faults)(
    "PostgreSQL %s: every request is answered within 5 s, by 503 at worst, service is back within 5 s, and nothing that was acknowledged is lost",
    async (_what, begin, end) => {
      const { stack } = running;
      const load = startLoad({ origin: stack.origin, perSecond: 20, requests: requestsOf(running) });
      await pause(500);
      await begin();
      await pause(2_000);
      await end();
      const back = performance.now();
      const begunAt = load.answers.length;
      const works = async (): Promise<boolean> => {
        const { collections, people } = running.world;
        const given = { collectionId: collections.open, title: "After the outage" };
        return (await running.as(people.editor).post<object>("/api/v1/documents", given)).status === 201;
      };
      while (!(await works())) expect(performance.now() - back).toBeLessThan(serviceBackMs);
      await pause(500);
      const answers = await load.stop();
      expect(answers.length).toBeGreaterThan(begunAt);
      expect(failures(answers, (answer) => isServed(answer) || isUnavailable(answer))).toEqual([]);
      expect(
        answers.filter((answer) => answer.tookMs > answerWithinMs).map(({ name, tookMs }) => [name, tookMs]),
      ).toEqual([]);
      const created = answers.filter(({ name, status }) => name === "create" && status === 201).map(idOf);
      const { teamId } = running.world;
      const kept = await running.database.client.document.count({ where: { teamId, id: { in: created } } });
      expect(kept).toBe(created.length);
    },
    60_000,
  );
});

/** Returns whether the service or a tool answered 503. */
const isUnavailable = ({ status, text }: Answer): boolean =>
  (status === 503 && text.includes('"code":"unavailable"')) ||
  (status === 200 && text.includes('"code":"UNAVAILABLE"'));

function idOf({ text }: Answer): string {
  const { data }: One<DocumentView> = JSON.parse(text);
  return data.id;
}
