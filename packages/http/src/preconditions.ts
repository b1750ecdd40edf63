import { createHash } from "node:crypto";
import { invalid } from "@kb/core";

/** RFC 9110 §8.8.3: an entity tag; `W/` marks a weak one. */
type EntityTag = { readonly weak: boolean; readonly value: string };

/** What `If-Match` or `If-None-Match` says: anything, or one of these tags. */
type Condition = "*" | readonly EntityTag[];

const listItem = /\s*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)")?\s*(?:,|$)/y;

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

/** The entity tag of a revision, or of whatever else names a state. */
export const entityTag = (state: number | string): string => `"${state}"`;

/** The state of a body that has no revision, out of the body itself. */
export function stateOf(body: unknown): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 22);
}

/**
 * The revisions of which `If-Match` wants one; undefined where it wants none in particular (no header, or `*`).
 * The comparison is strong (RFC 9110 §13.1.1): a weak tag, and one that is no revision, match nothing.
 * @throws {ServiceError} `validation_error` for a header that is not a list of entity tags.
 */
export function readIfMatch(header: string | undefined): number[] | undefined {
  if (header === undefined) return undefined;
  const condition = readCondition(header);
  if (condition === null) throw invalid("If-Match", 'Must be * or entity tags in quotes, such as "3"');
  if (condition === "*") return undefined;
  return condition.filter((tag) => !tag.weak && revisionTag.test(tag.value)).map((tag) => Number(tag.value));
}

/** Whether `If-None-Match` names the revision, or whatever else the entity tag holds; the comparison is weak (RFC 9110 §13.1.2). An unreadable header names none. */
export function ifNoneMatchNames(header: string | undefined, revision: number | string): boolean {
  if (header === undefined) return false;
  const condition = readCondition(header);
  if (condition === null) return false;
  return condition === "*" || condition.some((tag) => tag.value === String(revision));
}
