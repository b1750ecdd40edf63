import type { Schema } from "prosemirror-model";
import { EditorState, type Plugin } from "prosemirror-state";
import { live } from "../plugin.ts";
import { attemptUntil } from "./attempt-until.ts";
import { type Clock, systemClock } from "./clock.ts";
import { EditorSession } from "./editor-session.ts";
import { openDocument } from "./read-log.ts";
import { restore } from "./restore.ts";
import { SessionKeeper } from "./session-keeper.ts";
import type { KeptSession, SessionStore } from "./session-store.ts";
import { textsOfKept } from "./texts-of-kept.ts";
import type { Transport, TransportFailure } from "./transport.ts";

/** Options of a session. */
export interface SessionOptions {
  readonly transport: Transport;
  /** The schema of the codec, or one with the same nodes and marks. */
  readonly schema: Schema;
  /** The plugins of the editor; the history among them. */
  readonly plugins: readonly Plugin[];
  /** Returns a new UUID. */
  readonly newClientId: () => string;
  readonly clock?: Clock;
  /** Text without a place that an earlier session has left. */
  readonly orphans?: readonly string[];
}

/** Options of a session that keeps on the device what is not sent. */
export interface KeptSessionOptions extends Omit<SessionOptions, "orphans"> {
  readonly store: SessionStore;
  /** The id of the user, under which the batches appear in the log; the service says it too, but not without a network. */
  readonly author?: string;
  /** What the store has of an earlier session: this one goes on from there, also without the service. */
  readonly kept: KeptSession | null;
  /** Called when the service could not be asked for the document; it is asked again while this returns true. */
  readonly retry: (failure: TransportFailure) => boolean;
}

/** A session, and what keeps it on the device. */
export interface KeptEditorSession {
  readonly session: EditorSession;
  readonly keeper: SessionKeeper;
}

/** Opens a document for writing. @throws {TransportFailure} */
export async function openSession(options: SessionOptions): Promise<EditorSession> {
  const { transport, schema, plugins, clock = systemClock, newClientId, orphans = [] } = options;
  const { doc, version, ...opened } = await openDocument(transport, schema);
  const state = EditorState.create({ doc, plugins: [live(version), ...plugins] });
  return new EditorSession({ transport, clock, newClientId, state, orphans, ...opened });
}

/** Opens a document for writing, with what an earlier session has left. @throws {TransportFailure} */
export async function openKeptSession(options: KeptSessionOptions): Promise<KeptEditorSession> {
  const { store, kept, clock = systemClock, transport } = options;
  const restored = kept === null ? null : restoredState(options, kept);
  const keeper = new SessionKeeper({ transport, store, clock, hasRow: kept !== null });
  if (kept !== null && restored !== null) {
    const { lineage } = kept.snapshot;
    const { sent, client, orphans } = kept.changes;
    const { newClientId, author } = options;
    const start = { transport: keeper.transport, clock, newClientId, author, canWrite: true };
    const session = new EditorSession({ ...start, lineage, state: restored, sent, client, orphans });
    keeper.follow(session);
    return { session, keeper };
  }
  const orphans = kept === null ? [] : textsOfKept(kept.changes);
  const session = await openPatiently({ ...options, transport: keeper.transport, orphans }, clock);
  keeper.follow(session);
  return { session, keeper };
}

/** Returns the state that a kept session goes on from; null without local steps, or where they or their document are damaged. */
function restoredState({ schema, plugins }: KeptSessionOptions, kept: KeptSession): EditorState | null {
  if (kept.changes.local.length === 0) return null;
  try {
    const { doc, version, local } = restore(schema, kept);
    return EditorState.create({ doc, plugins: [live(version, local), ...plugins] });
  } catch {
    // Whatever does not fit, its text can be offered.
    return null;
  }
}

async function openPatiently(
  options: SessionOptions & Pick<KeptSessionOptions, "retry">,
  clock: Clock,
): Promise<EditorSession> {
  let last: TransportFailure | undefined;
  const session = await attemptUntil(
    clock,
    () => openSession(options),
    (failure) => {
      last = failure;
      return failure.kind === "unreachable" && options.retry(failure);
    },
  );
  if (session === undefined) throw last;
  return session;
}
