import { sql } from "@kb/db";
import type { WriteContext } from "../context.ts";
import { ServiceError } from "../errors.ts";
import type { Preparation } from "../operation.ts";

/** @throws {ServiceError} `conflict` if the team requires a second factor */
export async function requireOptional({ service: { database }, actor: { teamId } }: Preparation): Promise<void> {
  const select = { secondFactorRequired: true } as const;
  const { secondFactorRequired } = await database.client.team.findUniqueOrThrow({ where: { id: teamId }, select });
  if (secondFactorRequired) throw requiredByTeam();
}

/**
 * Reads the switch in the transaction and locks it: switched on meanwhile, it would leave a session without a second factor.
 * @throws {ServiceError} `conflict` if the team requires a second factor
 */
export async function requireStillOptional({ tx, actor: { teamId } }: WriteContext): Promise<void> {
  const [team] = await tx.rows<{ required: boolean }>(
    sql`SELECT "secondFactorRequired" AS required FROM teams WHERE id = ${teamId}::uuid FOR SHARE`,
  );
  if (team?.required !== false) throw requiredByTeam();
}

const requiredByTeam = (): ServiceError =>
  new ServiceError(
    "conflict",
    "Your team requires a second step. Set up another one first, or change the app instead of turning it off.",
  );
