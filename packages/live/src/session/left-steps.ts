import type { EditorState } from "prosemirror-state";
import { type AcceptedBatch, confirm, type LocalStep, liveState, markSent, type Received, receive } from "../plugin.ts";
import { countInBatch } from "./batch-sender.ts";
import { acceptedOf } from "./read-log.ts";
import { textIn } from "./texts-of-kept.ts";
import type { WireBatch } from "./transport.ts";

/** Returns the local steps that an earlier session left; all that were written here come after them. */
export const leftSteps = (state: EditorState): readonly LocalStep[] =>
  liveState(state).local.filter(({ isLeft }) => isLeft === true);

/**
 * Takes up a batch of the log. An earlier session that has sent more than the device knows of has sent first what it left: of all
 * batches with a number of its name the service takes one, so that no other has those steps.
 * @throws {TransportFailure} `outdated` for steps that this client does not know
 */
export function takeUp(state: EditorState, batch: WireBatch, origin: "here" | "earlier" | "other"): Received {
  const accepted = acceptedOf(state.schema, batch);
  if (origin === "other") return receive(state, accepted);
  return origin === "here" ? confirm(state, accepted) : confirmLeft(state, accepted);
}

/**
 * Takes up a batch with steps that an earlier session left. That session may have sent it, with more than the device knows of, so
 * that the origins need not be those of the steps here. Where they are not, the batch takes the place of the steps on the way.
 */
function confirmLeft(before: EditorState, accepted: AcceptedBatch): Received {
  const { steps, origins } = accepted;
  const left = leftSteps(before).map(({ step }): unknown => step.toJSON());
  const state = before.apply(markSent(before, countInBatch(left)));
  const texts = new Map(liveState(state).local.map(({ step, sentIndex }) => [sentIndex, textIn(step.toJSON())]));
  const sent = steps.map((step) => textIn(step.toJSON()));
  const isAlike = sent.every((text, index) => {
    const left = texts.get(origins[index] ?? null);
    return left === undefined || left === text;
  });
  const { transaction, orphans } = confirm(state, isAlike ? accepted : { ...accepted, origins: steps.map(() => -1) });
  return { transaction, orphans: orphans.filter((orphan) => !sent.join("").includes(orphan)) };
}
