import { callerKinds, kindOf } from "@kb/core";
import type { EdgeContext } from "./edge.ts";

/** Returns who pays for a request: the key of the user or channel that was found, otherwise the address of the client. */
export function subjectOf(context: EdgeContext): string {
  const caller = context.get("caller");
  return caller === undefined ? context.get("address") : callerKinds[kindOf(caller)].subject(caller);
}
