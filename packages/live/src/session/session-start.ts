import type { EditorState } from "prosemirror-state";
import type { Clock } from "./clock.ts";
import type { ClientNumber } from "./session-store.ts";
import type { SentPush, Transport } from "./transport.ts";

/** The beginning of a session. */
export interface SessionStart {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly newClientId: () => string;
  readonly lineage: string;
  readonly canWrite: boolean;
  /** The id of the user, where it is known. */
  readonly author: string | undefined;
  /** With the plugin `live` at the opened version. */
  readonly state: EditorState;
  /** What an earlier session had on its way, and its text without a place. */
  readonly sent?: SentPush | null;
  readonly client?: ClientNumber | undefined;
  readonly orphans?: readonly string[];
}
