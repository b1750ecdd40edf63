import { callerKinds, kindOf } from "@kb/core";
import type { EdgeContext } from "./edge.ts";

/** Returns who pays for a request: the key of the user or channel that was found, otherwise the address of the client. */
export function subjectOf({ var: { caller, address } }: EdgeContext): string {
  return caller === undefined ? address : callerKinds[kindOf(caller)].subject(caller);
}
