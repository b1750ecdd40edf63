import { start } from "./backplane.ts";

/** The stream of messages that belong to no request. A GET opens it. */
export const changesStream = "changes";

/** A client's position in a stream, as sent in `Last-Event-ID`. */
export type EventId = {
  readonly stream: string;
  /** The position in the stream's log. */
  readonly place: string;
  /** For `changesStream`, the mark of the last notice that was sent. */
  readonly sequence?: number;
};

const pattern = /^([0-9a-z-]{1,64})\.(\d{1,19}-\d{1,19})(?:\.(\d{1,15}))?$/i;

/** Returns `<stream>.<place>`, or `changes.<place>.<sequence>`. */
export function writeEventId({ stream, place, sequence }: EventId): string {
  return sequence === undefined ? `${stream}.${place}` : `${stream}.${place}.${sequence}`;
}

/** Parses an event id. Returns null if this service cannot have written it. */
export function readEventId(text: string): EventId | null {
  const [, stream, place, sequence] = pattern.exec(text) ?? [];
  if (stream === undefined || place === undefined) return null;
  if ((stream === changesStream) !== (sequence !== undefined)) return null;
  return sequence === undefined ? { stream, place } : { stream, place, sequence: Number(sequence) };
}

/** Returns the id that opens a call's stream, before its log has a message. */
export const firstEventId = (stream: string): string => writeEventId({ stream, place: start });
