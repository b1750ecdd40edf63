import { z } from "zod";
import { Id, Text } from "./text.ts";

/** An e-mail address as it is stored and compared: trimmed, lower case. */
export const Email = Text.transform((text) => text.trim().toLowerCase()).pipe(
  z.email("Must be an e-mail address").max(254, "At most 254 characters"),
);

/** The name of a person, a team, a group, a key or a channel. */
export const Name = Text.transform((text) => text.trim()).pipe(
  z.string().min(1, "Must not be empty").max(255, "At most 255 characters"),
);

/** A password that somebody chose: long enough to be worth hashing. */
export const Password = z.string().min(8, "At least 8 characters").max(1024, "At most 1,024 characters");

/** Ids of things of one kind, each once; `maximum` bounds what one request may name. */
export const Ids = (maximum = 1000) =>
  z
    .array(Id)
    .max(maximum, `At most ${maximum}`)
    .transform((ids) => [...new Set(ids)]);

/** Whether two lists name the same things, in whatever order. */
export function sameIds(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [new Set(one), new Set(other)];
  return first.size === second.size && [...first].every((id) => second.has(id));
}
