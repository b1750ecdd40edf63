import { start } from "./backplane.ts";

/** The stream of what no request asked for: the one that GET opens. */
export const changesStream = "changes";

/** Where a client stands in a stream: what `Last-Event-ID` says. */
export type EventId = {
  readonly stream: string;
  /** The place in the stream's log. */
  readonly place: string;
  /** For `changesStream`, the sequence number of the team's last event that was told. */
  readonly sequence?: number;
};

const pattern = /^([0-9a-z-]{1,64})\.(\d{1,19}-\d{1,19})(?:\.(\d{1,15}))?$/i;

/** `<stream>.<place>`, or `changes.<place>.<sequence>`. */
export function writeEventId({ stream, place, sequence }: EventId): string {
  return sequence === undefined ? `${stream}.${place}` : `${stream}.${place}.${sequence}`;
}

/** Null for what this service never wrote. */
export function readEventId(text: string): EventId | null {
  const [, stream, place, sequence] = pattern.exec(text) ?? [];
  if (stream === undefined || place === undefined) return null;
  if ((stream === changesStream) !== (sequence !== undefined)) return null;
  return sequence === undefined ? { stream, place } : { stream, place, sequence: Number(sequence) };
}

/** The id with which a call's stream is opened, before anything is in its log. */
export const firstEventId = (stream: string): string => writeEventId({ stream, place: start });
