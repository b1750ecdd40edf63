import { createHash } from "node:crypto";
import { invalid } from "@kb/core";

/** An entity tag (RFC 9110 §8.8.3); `W/` marks a weak one. */
type EntityTag = { readonly weak: boolean; readonly value: string };

/** The value of `If-Match` or `If-None-Match`: any state, or one of these tags. */
type Condition = "*" | readonly EntityTag[];

// White space can match in one way only: in two, a header of 15 kB of it would take a second.
const listItem = /\s*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*)?(?:,|$)/y;

function readCondition(header: string): Condition | null {
  if (header.trim() === "*") return "*";
  const tags: EntityTag[] = [];
  listItem.lastIndex = 0;
  while (listItem.lastIndex < header.length) {
    const match = listItem.exec(header);
    if (match === null) return null;
    const [, weak, value] = match;
    if (value !== undefined) tags.push({ weak: weak !== undefined, value });
  }
  return tags.length === 0 ? null : tags;
}

const revisionTag = /^[1-9]\d{0,15}$/;

/** Returns the entity tag of a revision or of another name of a state. */
export const entityTag = (state: number | string): string => `"${state}"`;

/** Returns a name for the state of a body that has no revision: a digest of the body and of the state of rows that follow. */
export function stateOf(body: unknown, rest = ""): string {
  return createHash("sha256").update(JSON.stringify(body)).update(rest).digest("base64url").slice(0, 22);
}

/**
 * Reads the revisions that `If-Match` accepts; returns undefined if it accepts any (no header, or `*`).
 * The comparison is strong (RFC 9110 §13.1.1): a weak tag matches nothing, nor does a tag that is not a revision.
 * @throws {ServiceError} `validation_error` for a header that is not a list of entity tags.
 */
export function readIfMatch(header: string | undefined): number[] | undefined {
  if (header === undefined) return undefined;
  const condition = readCondition(header);
  if (condition === null) throw invalid("If-Match", 'Must be * or entity tags in quotes, such as "3"');
  if (condition === "*") return undefined;
  return condition.filter((tag) => !tag.weak && revisionTag.test(tag.value)).map((tag) => Number(tag.value));
}

/**
 * Tells whether `If-None-Match` contains the revision, or another name of a state. The comparison is weak
 * (RFC 9110 §13.1.2). A malformed header contains nothing.
 */
export function hasNoneMatchTag(header: string | undefined, revision: number | string): boolean {
  if (header === undefined) return false;
  const condition = readCondition(header);
  if (condition === null) return false;
  return condition === "*" || condition.some((tag) => tag.value === String(revision));
}
