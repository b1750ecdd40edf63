import { z } from "zod";
import { operation } from "../operation.ts";
import { endChange, lockChange } from "./email-change.ts";

/** Ends the change of the caller's address that waits. */
export const cancelEmailChange = operation({
  name: "auth.emailChange.cancel",
  summary: "Cancel the change of your e-mail address",
  description: "Its links stop working. Without a change that waits, nothing happens.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: z.object({ status: z.literal("cancelled") }),
  async run({ tx, actor, now, audit }) {
    const change = await lockChange(tx, actor);
    if (change === null) audit.unchanged();
    else await endChange(tx, change, now);
    audit.setTarget("user", actor.userId);
    return { status: "cancelled" as const };
  },
});
