import { z } from "zod";
import { Id, Text } from "./text.ts";
import { withoutInvisible } from "./visible-text.ts";

const maxEmailLength = 254;

/** The maximum length of an address before outer spaces are removed from it. */
const maxRawEmailLength = 4 * maxEmailLength;

/** An e-mail address in the form in which it is stored and compared: trimmed and lower case. */
export const Email = Text.refine((text) => text.length <= maxRawEmailLength, {
  message: `At most ${maxEmailLength} characters`,
  abort: true,
})
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.email("Must be an e-mail address").max(maxEmailLength, `At most ${maxEmailLength} characters`));

const maxNameLength = 255;

/** The maximum length of a name before invisible characters and outer spaces are removed from it. */
const maxRawNameLength = 4 * maxNameLength;

/** The name of a person, a team, a group, a key or a channel, without invisible characters. */
export const Name = Text.refine((text) => text.length <= maxRawNameLength, {
  message: `At most ${maxNameLength} characters`,
  abort: true,
})
  .transform((text) => withoutInvisible(text).trim())
  .pipe(z.string().min(1, "Must not be empty").max(maxNameLength, `At most ${maxNameLength} characters`));

/** A password that a person chose. */
export const Password = z.string().min(8, "At least 8 characters").max(1024, "At most 1,024 characters");

/** Distinct ids of one kind; `maximum` limits their number in a request. */
export const Ids = (maximum = 1000) =>
  z
    .array(Id)
    .max(maximum, `At most ${maximum}`)
    .transform((ids) => [...new Set(ids)]);

/** Tells whether two lists contain the same ids, in any order. */
export function sameIds(one: readonly string[], other: readonly string[]): boolean {
  const first = new Set(one);
  const second = new Set(other);
  return first.size === second.size && [...first].every((id) => second.has(id));
}
