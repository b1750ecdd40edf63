import { timestamp } from "../schema/text.ts";
import type { Visibility } from "./visible-events.ts";

/** The columns of an event that its receivers see. */
export type EventView = {
  readonly teamId: string;
  readonly id: string;
  readonly sequence: number | bigint;
  readonly type: string;
  readonly at: Date;
  readonly actor: unknown;
  readonly data: Readonly<Record<string, unknown>>;
};

/** An event as webhooks and browsers get it. */
export type PresentedEvent = {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly teamId: string;
  readonly sequence: number;
  readonly actor: unknown;
  readonly data: Readonly<Record<string, unknown>>;
};

/** Presents the snapshot at commit, or only its id if the receiver lost access to the document. */
export function presentEvent(event: EventView, visibility: Visibility): PresentedEvent {
  const { id, type, at, teamId, sequence, actor, data } = event;
  return {
    id,
    type,
    timestamp: timestamp(at),
    teamId,
    sequence: Number(sequence),
    actor,
    data: visibility === "full" ? data : { id: data.id },
  };
}
