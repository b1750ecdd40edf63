import { setTimeout as pause } from "node:timers/promises";
import { type EditorSession, openSession } from "@kb/live/session";
import { httpTransport } from "@kb/live/testing";
import { schema } from "markdown-codec/schema";
import { percentile } from "../web/percentile.ts";
import { LatencyMeter } from "./latency-meter.ts";
import type { LiveSite } from "./open-live-site.ts";

/** How many people have a document open, and how they type. */
export type Typing = {
  readonly editors: number;
  readonly oneWayMs: number;
  /** The time between two keystrokes of one of them, at most; half of it at least. */
  readonly pauseMs: number;
  readonly seconds: number;
};

/** The latency from a keystroke to another screen in milliseconds, and the number of measured pairs. */
export type TypingFigures = { readonly p50: number; readonly p95: number; readonly count: number };

const warmUpMs = 3_000;
/** A keystroke that is on no other screen after this time is lost. */
const longestMs = 30_000;

/** Lets people type in one document on two instances. @throws {Error} if a keystroke is missing on a screen */
export async function measureTyping(site: LiveSite, documentId: string, typing: Typing): Promise<TypingFigures> {
  const meter = new LatencyMeter();
  const sessions = await openSessions(site, documentId, typing, meter);
  const state = { isOver: false };
  const typists = sessions.map((session, number) => typeInto(session, number, { meter, typing, state }));
  await pause(warmUpMs);
  meter.delays.length = 0;
  await pause(typing.seconds * 1_000);
  state.isOver = true;
  await Promise.all(typists);
  const deadline = performance.now() + longestMs;
  while (meter.waiting > 0 && performance.now() < deadline) await pause(50);
  await Promise.all(sessions.map((session) => session.close()));
  if (meter.waiting > 0) throw new Error(`${meter.waiting} keystrokes are missing on a screen`);
  const { delays } = meter;
  return { p50: percentile(delays, 0.5), p95: percentile(delays, 0.95), count: delays.length };
}

/** Opens a few at a time: a browser opens one, and the bench measures what follows. */
async function openSessions(
  { instances, people }: LiveSite,
  documentId: string,
  { editors, oneWayMs }: Typing,
  meter: LatencyMeter,
): Promise<readonly EditorSession[]> {
  const sessions: EditorSession[] = [];
  for (let number = 0; number < editors; number += 1) {
    const instance = instances[number % instances.length];
    const headers = people[number % people.length]?.headers ?? {};
    const origin = `http://127.0.0.1:${instance?.port}`;
    const session = await openSession({
      transport: httpTransport({ documentId, origin: () => origin, headers, oneWayMs }),
      schema,
      plugins: [meter.screen(number)],
      newClientId: () => crypto.randomUUID(),
    });
    sessions.push(session);
  }
  return sessions;
}

type Keyboard = { readonly meter: LatencyMeter; readonly typing: Typing; readonly state: { isOver: boolean } };

/** Types at the end of a paragraph of their own, with pauses. */
async function typeInto(session: EditorSession, number: number, { meter, typing, state }: Keyboard): Promise<void> {
  for (;;) {
    await pause(typing.pauseMs * (0.5 + Math.random() / 2));
    if (state.isOver) return;
    const { doc, tr } = session.state;
    session.dispatch(tr.insertText(meter.keystroke(number), endOfBlock(doc, number)));
  }
}

/** Returns the position before the end of one of the paragraphs. */
function endOfBlock(doc: EditorSession["state"]["doc"], number: number): number {
  const paragraphs: number[] = [];
  doc.forEach((node, offset) => {
    if (node.type.name === "paragraph") paragraphs.push(offset + node.nodeSize - 1);
  });
  const position = paragraphs[number % paragraphs.length];
  if (position === undefined) throw new Error("the document has no paragraph");
  return position;
}
