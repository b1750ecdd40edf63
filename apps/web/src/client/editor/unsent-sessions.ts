import { type EditorSession, isSettled, type SessionKeeper } from "@kb/live/session";
import { onReturn } from "../app/connection.ts";
import { openSessions } from "../writing/open-sessions.ts";

/** A session whose document is shown, or that still has text to send. */
export type LeftSession = {
  readonly documentId: string;
  readonly session: EditorSession;
  readonly keeper: SessionKeeper;
  /** When the last of what an earlier session has left was written, in milliseconds. */
  readonly leftAt: number | undefined;
  /** Leaves what is on the device to the next tab. */
  readonly endRecord: () => Promise<void>;
};

type Sending = { readonly left: LeftSession; readonly stop: () => void; readonly ended: Promise<void> };

/** Sessions of documents that are not shown any more. */
const unsent = new Set<Sending>();

/**
 * Goes on sending what a page has left behind, until the service has it, or the document is opened again; the browser asks before
 * it closes the page. Returns the text that the document does not get.
 */
export async function sendInBackground(left: LeftSession): Promise<readonly string[]> {
  const { session, keeper, endRecord } = left;
  const { promise: isOver, resolve: stop } = Promise.withResolvers<void>();
  const check = (): void => {
    if (isSettled(session.status)) stop();
  };
  const ends = [session.on("status", check), onReturn(() => session.flush())];
  const forgetting = { forget: () => forget(left) };
  const finish = async (): Promise<void> => {
    await isOver;
    session.end();
    for (const end of ends) end();
    await keeper.write();
    await endRecord();
    openSessions.delete(forgetting);
    unsent.delete(sending);
    if (unsent.size === 0) removeEventListener("beforeunload", ask);
  };
  const sending: Sending = { left, stop, ended: finish() };
  openSessions.add(forgetting);
  unsent.add(sending);
  addEventListener("beforeunload", ask);
  session.flush();
  check();
  await sending.ended;
  return keeper.unsentTexts;
}

/** Ends what still sends text of a document, so that an editor goes on with it. Text that the device could not keep is sent on. */
export async function endUnsent(documentId: string): Promise<void> {
  for (const { left, stop, ended } of [...unsent]) {
    if (left.documentId !== documentId) continue;
    await left.keeper.write();
    if (left.keeper.failure !== null) continue;
    stop();
    await ended;
  }
}

/** Ends a session, and deletes what it has on the device. */
export async function forget({ session, keeper, endRecord }: LeftSession): Promise<void> {
  session.end();
  await keeper.forget();
  await endRecord();
}

/** Returns whether closing the page would keep text from the others, even if the device has it, or lose text without a place. */
export const asksBeforeClosing = ({ session, keeper }: Pick<LeftSession, "session" | "keeper">): boolean =>
  session.status.kind !== "saved" || (keeper.failure !== null && keeper.unsentTexts.length > 0);

const ask = (event: BeforeUnloadEvent): void => {
  if ([...unsent].some(({ left }) => asksBeforeClosing(left))) event.preventDefault();
};
