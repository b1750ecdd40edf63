import type { Node } from "prosemirror-model";
import type { EditorState } from "prosemirror-state";
import { difference } from "./difference.ts";
import type { LocalStep } from "./local-rebase.ts";
import { confirmedDoc, liveState, type Received, receive, withNext } from "./plugin.ts";

/**
 * Takes up that the document is now another one, of which only the content is known: the local steps are rebased onto the
 * difference. With `isSentAccepted`, the document contains the batch that was on the way.
 */
export function replaceConfirmed(
  state: EditorState,
  next: { readonly doc: Node; readonly version: number; readonly isSentAccepted: boolean },
): Received {
  const { version, local } = liveState(state);
  const isKnown = ({ sentIndex }: LocalStep): boolean => next.isSentAccepted && sentIndex !== null;
  const remaining = local.filter((one) => !isKnown(one)).map((one) => ({ ...one, sentIndex: null }));
  const known = state.apply(withNext(state.tr, { version, local: remaining }));
  return receive(known, { version: next.version, steps: difference(confirmedDoc(known), next.doc), origins: [] });
}
