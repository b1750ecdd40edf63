import { setTimeout as pause } from "node:timers/promises";
import { type EditorSession, liveState, openSession } from "@kb/live/session";
import { httpTransport } from "@kb/live/testing";
import { schema } from "markdown-codec/schema";
import type { Person } from "../live/open-live-site.ts";

/** The document that others write in, and where the service is. */
type Written = { readonly origin: string; readonly documentId: string };

/** Each of them presses a key after this time at most, and half of it at least. */
const pauseMs = 270;
/** How often a page tells of its caret. */
const tellMs = 400;
const words = "and what others write, ";

/** Lets people write in a document while `use` runs, each in a paragraph of their own, from the first of the document to the last. */
export async function whileOthersWrite(
  written: Written,
  people: readonly Person[],
  use: () => Promise<void>,
): Promise<void> {
  const state = { isOver: false };
  const sessions: EditorSession[] = [];
  for (const person of people) sessions.push(await open(written, person));
  const writers = sessions.map((session, index) => {
    const share = (index + 0.5) / sessions.length;
    return [write(session, share, state), tell(written, people[index], { session, share, state })];
  });
  try {
    await use();
  } finally {
    state.isOver = true;
    await Promise.all(writers.flat());
    await Promise.all(sessions.map((session) => session.close()));
  }
}

const open = ({ origin, documentId }: Written, { headers }: Person): Promise<EditorSession> =>
  openSession({
    transport: httpTransport({ documentId, origin: () => origin, headers }),
    schema,
    plugins: [],
    newClientId: () => crypto.randomUUID(),
  });

type State = { isOver: boolean };

async function write(session: EditorSession, share: number, state: State): Promise<void> {
  for (let count = 0; ; count += 1) {
    await pause(pauseMs * (0.5 + Math.random() / 2));
    if (state.isOver) return;
    const { doc, tr } = session.state;
    session.dispatch(tr.insertText(words[count % words.length] ?? " ", placeOf(doc, share)));
  }
}

type Writer = { readonly session: EditorSession; readonly share: number; readonly state: State };

/** Tells where a caret is, as a page does while others watch. */
async function tell(
  { origin, documentId }: Written,
  person: Person | undefined,
  { session, share, state }: Writer,
): Promise<void> {
  const tabId = crypto.randomUUID();
  while (!state.isOver) {
    const { version, local } = liveState(session.state);
    const place = placeOf(session.state.doc, share);
    const head = local.reduceRight((at, { inverted }) => inverted.getMap().map(at), place);
    const answer = await fetch(`${origin}/api/live.presence`, {
      method: "POST",
      headers: { ...person?.headers, "Content-Type": "application/json" },
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
