import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { invoke, operations } from "@kb/core";
import { addPerson, type Person } from "@kb/core/testing";
import { serve } from "@kb/http";
import { createLifecycle, type RunningServer } from "@kb/runtime";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { appOf, openSetting, type Setting } from "./setting.ts";

const documents = 4;
const characters = 1_400_000;
/** More than the buffers of a connection take. */
const allOfThem = "/api/v1/documents?limit=100";
const oneOfThem = "/api/v1/documents?limit=1";

let setting: Setting;
let server: RunningServer;
const unread: ClientRequest[] = [];

beforeAll(async () => {
  setting = await openSetting();
  const { world } = setting;
  const { actor } = world.people.admin;
  // A block of code is parsed in no time, however long.
  const text = `\`\`\`\n${"A sentence of a long page.\n".repeat(characters / 27)}\`\`\`\n`;
  for (let n = 0; n < documents; n += 1) {
    const page = { collectionId: world.collections.open, title: `Page ${n}`, text, publish: true };
    await invoke(world.service, operations.createDocument, actor, page);
  }
  const lifecycle = createLifecycle();
  const { fetch: answer } = appOf(world.service, { lifecycle });
  server = await serve({ fetch: answer, hostname: "127.0.0.1", port: 0, lifecycle, drainMs: 1_000 });
}, 300_000);

afterEach(async () => {
  for (const call of unread) call.destroy();
  // The turns are those of the process, in which other test files follow.
  const newcomer = await addPerson(setting.world, "Viewers");
  await vi.waitFor(async () => expect(await readOne(newcomer)).toBeGreaterThan(characters), { timeout: 30_000 });
});
afterAll(async () => {
  await server?.close();
  await setting?.close();
});

/** Asks for a list that is never read; returns its response. */
async function leaveUnread({ key }: Person): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}` };
  const call = request(`http://127.0.0.1:${server.port}${allOfThem}`, { headers, agent: false });
  unread.push(call.on("error", () => {}));
  call.end();
  const [response] = await once(call, "response");
  return response;
}

async function readOne({ key }: Person): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`http://127.0.0.1:${server.port}${oneOfThem}`, { headers });
  return response.ok ? (await response.arrayBuffer()).byteLength : response.status;
}

it("users who take nothing of their large answers make no large answer of others fail", {
  timeout: 120_000,
}, async () => {
  const { world } = setting;
  const { admin, editor, member, viewer } = world.people;
  const others = await Promise.all([1, 2, 3, 4].map(() => addPerson(world, "Viewers")));
  // Both take two of the four turns, and eight places in the queue of 32.
  const hostile = [admin, editor].flatMap((person) => Array.from({ length: 10 }, () => leaveUnread(person)));
  const begun = await Promise.any(hostile);
  expect(begun.statusCode).toBe(200);
  const sizes = await Promise.all(
    [member, viewer, ...others].flatMap((person) => Array.from({ length: 3 }, () => readOne(person))),
  );
  expect(Math.min(...sizes)).toBeGreaterThan(characters);
});
