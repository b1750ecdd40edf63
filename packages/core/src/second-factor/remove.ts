import { removeSecondFactor as deleteSecondFactor } from "@kb/auth";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import { requireSecondFactor } from "./require-proof.ts";
import { TypedCode } from "./second-factor.ts";

/** Removes the caller's second factor. */
export const removeSecondFactor = operation({
  name: "auth.secondFactor.remove",
  summary: "Turn off the second step of your log-in",
  description: "`code` is one of your app or a recovery code. The recovery codes stop working.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ code: TypedCode }),
  output: z.object({ status: z.literal("removed") }),
  prepare: ({ code }, preparation) =>
    requireSecondFactor(preparation, { action: "auth.secondFactor.remove", field: "code", typed: code }),
  async run({ tx, actor, audit }, _input, { method }) {
    const { teamId, userId } = actor;
    if (!(await deleteSecondFactor(tx, { teamId, userId }))) throw notFound("Second factor");
    audit.setTarget("user", userId);
    audit.addDetails({ method });
    return { status: "removed" as const };
  },
});
