import type { Schema } from "prosemirror-model";
import { EditorState, type Plugin } from "prosemirror-state";
import { live } from "../plugin.ts";
import { type Clock, systemClock } from "./clock.ts";
import { EditorSession } from "./editor-session.ts";
import { openDocument } from "./read-log.ts";
import type { Transport } from "./transport.ts";

/** Options of a session. */
export interface SessionOptions {
  readonly transport: Transport;
  /** The schema of the codec, or one with the same nodes and marks. */
  readonly schema: Schema;
  /** The plugins of the editor; the history among them. */
  readonly plugins: readonly Plugin[];
  readonly clock?: Clock;
  /** Returns a new UUID. */
  readonly newClientId?: () => string;
}

/** Opens a document for writing. @throws {TransportFailure} */
export async function openSession(options: SessionOptions): Promise<EditorSession> {
  const { transport, schema, plugins, clock = systemClock, newClientId = () => crypto.randomUUID() } = options;
  const { doc, version, ...opened } = await openDocument(transport, schema);
  const state = EditorState.create({ doc, plugins: [live(version), ...plugins] });
  return new EditorSession({ transport, clock, newClientId, state, ...opened });
}
