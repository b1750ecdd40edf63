import type { Node } from "prosemirror-model";
import type { EditorState } from "prosemirror-state";
import { leafText } from "../leaf-text.ts";
import { abandon, confirmedDoc, markSent, type Received } from "../plugin.ts";
import { replaceConfirmed } from "../replace-confirmed.ts";
import type { BatchSender } from "./batch-sender.ts";
import { leftSteps } from "./left-steps.ts";
import { type OpenedDocument, openDocument } from "./read-log.ts";
import { type LogPosition, type Transport, TransportFailure, type WireBatch } from "./transport.ts";

type Connection = {
  readonly transport: Transport;
  readonly sender: BatchSender;
  /** The last version that the session has. */
  readonly position: () => LogPosition;
};

type Session = {
  readonly state: () => EditorState;
  readonly isOver: () => boolean;
  /** Takes up the next batch of the log; returns false for one that has to wait. */
  readonly take: (batch: WireBatch) => boolean;
};

type OpenedAgain = {
  readonly lineage: string;
  readonly canWrite: boolean;
  readonly received: Received;
  readonly orphans: readonly string[];
};

/**
 * Opens the document of a session again, and replaces it in the same moment as the batch on the way is settled: the service alone
 * knows whether the document has it. Does nothing where the log goes on after all.
 * @throws {TransportFailure}
 */
export async function openAgain(
  connection: Connection,
  session: Session,
  replace: (opened: OpenedAgain) => void,
): Promise<void> {
  const { transport, sender } = connection;
  const answer = await sender.settle();
  const isBehind = answer === "superseded" && sender.isShared;
  if (isBehind && (await readOn(connection, session))) return;
  const { lineage, canWrite, author, ...opened } = await openDocument(transport, session.state().schema);
  if (session.isOver()) return;
  const accepted = answer === "superseded" ? null : answer;
  const received = isBehind
    ? replaceBehind(session.state(), opened)
    : replaceConfirmed(session.state(), { ...opened, isSentAccepted: accepted !== null });
  // The device may still have steps that were sent under this name, and under no other.
  if (answer === "superseded") sender.startAnew(author);
  else sender.goOn(accepted !== null, author);
  replace({ lineage, canWrite, received, orphans: accepted?.orphans ?? [] });
}

/** Returns how often a document has a text. */
const timesIn = ({ content }: Node, text: string): number =>
  content.textBetween(0, content.size, "\n", leafText).split(text).length - 1;

/** Reads the log on until it says what became of the batch on the way; returns false where it does not. @throws {TransportFailure} */
async function readOn({ transport, sender, position }: Connection, { take }: Session): Promise<boolean> {
  try {
    for (;;) {
      const before = position();
      const page = await transport.batches(before);
      for (const batch of page.batches) {
        if (batch.version !== position().since + 1) continue;
        if (!take(batch)) throw new TransportFailure("unreachable", "An input method writes");
      }
      if (sender.sending.sent === null) return true;
      const { since } = position();
      if (since === before.since || since >= page.version) return false;
    }
  } catch (error) {
    // The log is another one, or a batch does not apply here.
    if (!(error instanceof TransportFailure) || error.kind === "reopen") return false;
    throw error;
  }
}

/**
 * Takes up a document that was opened again, of which an earlier session has sent at least what it left, where the log does not say
 * more: text that the document does not have once more than before is kept for its author. Text that the author has typed again
 * since counts as arrived.
 */
function replaceBehind(state: EditorState, { doc, version }: Pick<OpenedDocument, "doc" | "version">): Received {
  const marked = state.apply(markSent(state, leftSteps(state).length));
  const { transaction, orphans } = replaceConfirmed(marked, { doc, version, isSentAccepted: true });
  const before = confirmedDoc(state);
  const missing = abandon(state).orphans.filter((one) => timesIn(transaction.doc, one) <= timesIn(before, one));
  return { transaction, orphans: [...new Set([...missing, ...orphans])] };
}
