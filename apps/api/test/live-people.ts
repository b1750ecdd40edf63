import { callerOf, insertedText, type Person } from "@kb/core/testing";
import { afterEach } from "vitest";
import { inApp } from "./in-app.ts";
import { readEvents } from "./read-events.ts";
import type { Setting } from "./setting.ts";

type PersonHere = { tabId: string; userId: string; name: string; color: number; anchor: number; leave: true };
type Opened = { data: { lineage: string; version: number; schema: number; canWrite: boolean } };
export type LiveData = {
  version?: number;
  steps?: unknown[];
  revision?: number;
  canWrite?: boolean;
  author?: string;
} & Partial<PersonHere>;
type Position = { readonly lineage: string; readonly since: number };

/** Returns people who write in documents together. Their streams are closed after each test. */
export function livePeople(setting: () => Setting) {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function createDocument(text = "one"): Promise<string> {
    const { id } = await callerOf(setting().world, setting().world.people.editor).create({ text, publish: true });
    return id;
  }

  /** Opens a document as a person, who then types at its beginning. */
  async function openAs(person: Person, documentId: string) {
    const call = await inApp(setting(), person);
    const { data } = (await call<Opened>("live.open", { documentId })).body;
    const clientId = crypto.randomUUID();
    let seq = 0;
    let base = data.version;
    const type = async (text: string) => {
      seq += 1;
      const { lineage, schema } = data;
      const batch = { documentId, lineage, schema, clientId, seq, base, steps: [insertedText(1, text)] };
      const reply = await call<{ data: { version: number } }>("live.push", batch);
      base = reply.body.data?.version ?? base;
      return reply;
    };
    return { ...data, since: data.version, type };
  }

  async function follow(
    person: Person,
    documentId: string,
    { lineage, since }: Position,
    { app = setting().app, ...headers }: { app?: Setting["app"]; "Last-Event-ID"?: string } = {},
  ) {
    const { cookie } = await setting().world.session(person);
    const query = new URLSearchParams({ documentId, lineage, since: String(since) });
    const url = `http://localhost:3000/api/live.stream?${query}`;
    const stream = readEvents<LiveData>(await app.fetch(new Request(url, { headers: { Cookie: cookie, ...headers } })));
    closers.push(stream.close);
    const versions = () => stream.messages.flatMap(({ event, data }) => (event === "batch" ? [data.version] : []));
    const events = () => stream.messages.map(({ event }) => event);
    return { stream, versions, events };
  }

  return { createDocument, openAs, follow, closers };
}
