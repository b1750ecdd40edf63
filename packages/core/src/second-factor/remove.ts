import { removeSecondFactor as deleteSecondFactor } from "@kb/auth";
import { sql } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { notFound, ServiceError } from "../errors.ts";
import { operation, type Preparation } from "../operation.ts";
import { requireSecondFactor } from "./require-proof.ts";
import { TypedCode } from "./second-factor.ts";

/** Removes the caller's second factor. */
export const removeSecondFactor = operation({
  name: "auth.secondFactor.remove",
  summary: "Turn off the second step of your log-in",
  description:
    "`code` is one of your app or a recovery code. The recovery codes stop working. Refused where the team requires a second factor.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ code: TypedCode }),
  output: z.object({ status: z.literal("removed") }),
  async prepare({ code }, preparation) {
    // Before the proof, which would use the code up.
    await requireOptional(preparation);
    return requireSecondFactor(preparation, { action: "auth.secondFactor.remove", field: "code", typed: code });
  },
  async run(context, _input, { method }) {
    const { tx, actor, audit } = context;
    const { teamId, userId } = actor;
    await requireStillOptional(context);
    if (!(await deleteSecondFactor(tx, { teamId, userId }))) throw notFound("Second factor");
    audit.setTarget("user", userId);
    audit.addDetails({ method });
    return { status: "removed" as const };
  },
});

/** @throws {ServiceError} `conflict` if the team requires a second factor */
async function requireOptional({ service: { database }, actor: { teamId } }: Preparation): Promise<void> {
  const select = { secondFactorRequired: true } as const;
  const { secondFactorRequired } = await database.client.team.findUniqueOrThrow({ where: { id: teamId }, select });
  if (secondFactorRequired) throw requiredByTeam();
}

/** Reads the switch again and locks it: switched on meanwhile, it would leave a session without a second factor. */
async function requireStillOptional({ tx, actor: { teamId } }: WriteContext): Promise<void> {
  const [team] = await tx.rows<{ required: boolean }>(
    sql`SELECT "secondFactorRequired" AS required FROM teams WHERE id = ${teamId}::uuid FOR SHARE`,
  );
  if (team?.required !== false) throw requiredByTeam();
}

const requiredByTeam = (): ServiceError =>
  new ServiceError("conflict", "Your team requires a second step. Change the app instead of turning it off.");
