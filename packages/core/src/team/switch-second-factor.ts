import { hasSecondFactor } from "@kb/auth";
import { sql } from "@kb/db";
import type { WriteContext } from "../context.ts";
import { ServiceError } from "../errors.ts";

/**
 * Switches whether everybody in the team needs a second factor. Switching it on ends the sessions of members without one: their
 * next log-in sets it up. API keys and apps stay.
 * @throws {ServiceError} `conflict` for a caller without a second factor, who would lock themselves out
 */
export async function switchSecondFactor({ tx, actor }: WriteContext, isRequired: boolean): Promise<void> {
  const { teamId, credential } = actor;
  if (isRequired && credential.kind !== "system" && !(await hasSecondFactor(tx, actor))) {
    throw new ServiceError("conflict", "Set up your own second step first, under Settings > You.");
  }
  await tx.team.update({ where: { id: teamId }, data: { secondFactorRequired: isRequired }, select: { id: true } });
  if (!isRequired) return;
  await tx.execute(sql`DELETE FROM browser_sessions s WHERE s."teamId" = ${teamId}::uuid AND NOT EXISTS (
    SELECT 1 FROM second_factors f WHERE f."teamId" = s."teamId" AND f."userId" = s."userId")`);
}
