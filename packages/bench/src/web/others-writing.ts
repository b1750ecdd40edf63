import { setTimeout as pause } from "node:timers/promises";
import { schemaVersion } from "@kb/live";
import { type EditorSession, liveState, openSession, type Transport } from "@kb/live/session";
import { httpTransport } from "@kb/live/testing";
import { schema } from "markdown-codec/schema";
import type { Person } from "../live/open-live-site.ts";
import type { BenchSite } from "./open-bench-site.ts";

/** The document that others write in, and where the service is. */
type Written = { readonly origin: string; readonly documentId: string };
type State = { isOver: boolean };
/** Somebody who writes at a share of the document's paragraphs. */
type Writer = Written & { readonly person: Person; readonly transport: Transport; readonly share: number };

/** Each of them presses a key after this time at most, and half of it at least. */
const pauseMs = 270;
/** How often a page tells of its caret. */
const tellMs = 400;
const words = "and what others write, ";

/**
 * Lets people write in a document while `use` runs, each in a paragraph of their own, from the first of the document to the last. An instance of
 * their own serves them, and they share one copy of the document: this process would be so busy with both that the keys of the page came late.
 */
export async function whileOthersWrite<Result>(
  site: BenchSite,
  documentId: string,
  people: readonly Person[],
  use: () => Promise<Result>,
): Promise<Result> {
  if (people.length === 0) return use();
  const instance = await site.startInstance();
  try {
    const state = { isOver: false };
    const writers = writersOf({ origin: `http://127.0.0.1:${instance.port}`, documentId }, people);
    const copy = await openCopy(writers);
    const work = Promise.all(writers.flatMap((writer) => [write(copy, writer, state), tell(copy, writer, state)]));
    // Reported once `use` has ended.
    work.catch(() => undefined);
    try {
      return await use();
    } finally {
      state.isOver = true;
      await work.finally(() => copy.close());
    }
  } finally {
    await instance.stop();
  }
}

const writersOf = (written: Written, people: readonly Person[]): readonly Writer[] =>
  people.map((person, index) => ({
    ...written,
    person,
    transport: httpTransport({ ...written, origin: () => written.origin, headers: person.headers }),
    share: (index + 0.5) / people.length,
  }));

/** Opens the document as the first of the writers. */
function openCopy([first]: readonly Writer[]): Promise<EditorSession> {
  if (first === undefined) throw new Error("nobody writes");
  return openSession({
    transport: first.transport,
    schema,
    plugins: [],
    newClientId: () => crypto.randomUUID(),
  });
}

/** Sends a letter with each batch, as a page does between two pauses of this length. */
async function write(copy: EditorSession, { transport, share }: Writer, state: State): Promise<void> {
  const clientId = crypto.randomUUID();
  for (let seq = 1; ; seq += 1) {
    await pause(pauseMs * (0.5 + Math.random() / 2));
    if (state.isOver) return;
    const { tr, doc } = copy.state;
    const { steps } = tr.insertText(words[seq % words.length] ?? " ", placeOf(doc, share));
    const { version: base } = liveState(copy.state);
    await transport.push({
      lineage: copy.lineage,
      schema: schemaVersion,
      clientId,
      seq,
      base,
      steps: steps.map((step) => step.toJSON()),
    });
  }
}

/** Tells where a caret is, as a page does while others watch. */
async function tell(copy: EditorSession, { origin, documentId, person, share }: Writer, state: State): Promise<void> {
  const tabId = crypto.randomUUID();
  while (!state.isOver) {
    const { version } = liveState(copy.state);
    const head = placeOf(copy.state.doc, share);
    const answer = await fetch(`${origin}/api/live.presence`, {
      method: "POST",
      headers: { ...person.headers, "Content-Type": "application/json" },
      body: JSON.stringify({ documentId, tabId, version, anchor: head, head }),
    });
    if (!answer.ok) throw new Error(`A caret was answered with ${answer.status}`);
    await pause(tellMs);
  }
}

/** Returns the end of the paragraph at a share of the document's paragraphs, from 0 to 1. */
function placeOf(doc: EditorSession["state"]["doc"], share: number): number {
  const ends: number[] = [];
  doc.forEach((node, offset) => {
    if (node.type.name === "paragraph") ends.push(offset + node.nodeSize - 1);
  });
  const place = ends[Math.floor(share * ends.length)];
  if (place === undefined) throw new Error("the document has no paragraph");
  return place;
}
