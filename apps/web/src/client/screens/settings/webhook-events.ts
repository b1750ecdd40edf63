/** The kinds of events, each chosen as a whole by its pattern. */
export const kinds = ["document", "collection", "tag", "attachment", "api_key", "app"] as const;
/** One of `kinds`. */
export type Kind = (typeof kinds)[number];

/** The pattern of every event. */
export const everyEvent = "*";

/** Returns the pattern of all events of a kind. */
export const patternOf = (kind: Kind): string => `${kind}.*`;

/** Returns the patterns that a form offers: each kind, and what a webhook names beside those. */
export function offeredPatterns(events: readonly string[]): string[] {
  return [...new Set([...kinds.map(patternOf), ...events.filter((event) => event !== everyEvent)])];
}
