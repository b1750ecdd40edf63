import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Timestamp, timestamp } from "../schema/text.ts";
import { usesPasswords } from "../sessions/require-passwords.ts";

/** The second factor of the caller. */
const SecondFactor = z
  .object({
    app: z.object({ since: Timestamp }).nullable(),
    /** The number of passkeys; `auth.passkeys.list` returns them. */
    passkeys: z.int(),
    recoveryCodesLeft: z.int(),
    /** Whether the team requires a second factor of everybody. */
    required: z.boolean(),
    /** The proof that setting up an app needs. */
    proof: z.enum(["code", "passkey", "password", "none"]),
  })
  .meta({ id: "SecondFactor" });

type Row = {
  readonly hasPassword: boolean;
  readonly appSince: Date | null;
  readonly passkeys: number;
  readonly recoveryCodesLeft: number;
  readonly required: boolean;
};

/** Reads whether the caller's log-ins have a second step. */
export const getSecondFactor = query({
  name: "auth.secondFactor.info",
  summary: "Get the second step of your log-in",
  description:
    "`app` is null without one. `proof` names what auth.secondFactor.start needs: a `code` of the present app, a `passkey` in the last 15 minutes for those who have no app, the `password`, or `none`. A recovery code replaces the first two.",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: SecondFactor,
  async run({ reader, actor, passwordLogIn }) {
    const [row] = await reader.rows<Row>(sql`SELECT u."passwordHash" IS NOT NULL AS "hasPassword",
        CASE WHEN octet_length(f.secret) > 0 THEN f."createdAt" END AS "appSince", t."secondFactorRequired" AS required,
        (SELECT count(*)::int FROM passkeys p WHERE p."teamId" = u."teamId" AND p."userId" = u.id) AS passkeys,
        (SELECT count(*)::int FROM recovery_codes r WHERE r."teamId" = u."teamId" AND r."userId" = u.id) AS "recoveryCodesLeft"
      FROM users u JOIN teams t ON t.id = u."teamId" LEFT JOIN second_factors f ON f."teamId" = u."teamId" AND f."userId" = u.id
      WHERE u."teamId" = ${actor.teamId}::uuid AND u.id = ${actor.userId}::uuid`);
    if (row === undefined) throw new Error("the user of a session exists as long as the session");
    const { appSince, passkeys, recoveryCodesLeft, required } = row;
    const app = appSince === null ? null : { since: timestamp(appSince) };
    return { app, passkeys, recoveryCodesLeft, required, proof: proofOf(row, usesPasswords({ passwordLogIn })) };
  },
});

function proofOf({ appSince, passkeys, hasPassword }: Row, passwords: boolean): z.input<typeof SecondFactor>["proof"] {
  if (appSince !== null) return "code";
  if (passkeys > 0) return "passkey";
  return hasPassword && passwords ? "password" : "none";
}
