import type { Actor } from "./actor.ts";

/** The facts about a user on which every decision depends, apart from grants and lists. */
type RightsFacts = Pick<Actor, "systemAdmin" | "groupIds"> & { readonly capabilities: Iterable<string> };

/** Returns the groups and capabilities of a user as one text, by which a change of them is noticed. */
export function rightsOf({ systemAdmin, groupIds, capabilities }: RightsFacts): string {
  return [systemAdmin, ...[...groupIds].sort(), ...[...capabilities].sort()].join(" ");
}
