import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Timestamp, timestamp } from "../schema/text.ts";

/** The second factor of the caller. */
const SecondFactor = z
  .object({
    app: z.object({ since: Timestamp, recoveryCodesLeft: z.int() }).nullable(),
    /** Whether the team requires a second factor of everybody. */
    required: z.boolean(),
    /** The proof that setting up an app needs. */
    proof: z.enum(["code", "password", "none"]),
  })
  .meta({ id: "SecondFactor" });

type Row = {
  readonly hasPassword: boolean;
  readonly createdAt: Date | null;
  readonly recoveryCodesLeft: number;
  readonly required: boolean;
};

/** Reads whether the caller's log-ins have a second step. */
export const getSecondFactor = query({
  name: "auth.secondFactor.info",
  summary: "Get the second step of your log-in",
  description:
    "`app` is null without one. `proof` names what auth.secondFactor.start needs: a `code` of the present app, the `password`, or `none`.",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: SecondFactor,
  async run({ reader, actor }) {
    const [row] = await reader.rows<Row>(sql`SELECT u."passwordHash" IS NOT NULL AS "hasPassword", f."createdAt",
        t."secondFactorRequired" AS required,
        (SELECT count(*)::int FROM recovery_codes r WHERE r."teamId" = u."teamId" AND r."userId" = u.id) AS "recoveryCodesLeft"
      FROM users u JOIN teams t ON t.id = u."teamId" LEFT JOIN second_factors f ON f."teamId" = u."teamId" AND f."userId" = u.id
      WHERE u."teamId" = ${actor.teamId}::uuid AND u.id = ${actor.userId}::uuid`);
    if (row === undefined) throw new Error("the user of a session exists as long as the session");
    const { createdAt: since, hasPassword, recoveryCodesLeft, required } = row;
    if (since === null) return { app: null, required, proof: hasPassword ? ("password" as const) : ("none" as const) };
    return { app: { since: timestamp(since), recoveryCodesLeft }, required, proof: "code" as const };
  },
});
