import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Timestamp, timestamp } from "../schema/text.ts";
import { type ChangeRow, changeColumns } from "./email-change.ts";

/** A change of the caller's address that waits for confirmations. */
export const EmailChange = z
  .object({
    email: z.string(),
    /** Whether each of the two addresses has confirmed it. */
    confirmed: z.object({ old: z.boolean(), new: z.boolean() }),
    /** Whether the links were mailed. If not, an admin hands them over. */
    mailed: z.boolean(),
    expiresAt: Timestamp,
  })
  .meta({ id: "EmailChange" });

/** Returns a change as the contract shows it. */
export function presentChange(
  { toEmail, oldConfirmedAt, newConfirmedAt, expiresAt }: Omit<ChangeRow, "id" | "teamId" | "userId" | "fromEmail">,
  mailed: boolean,
): z.input<typeof EmailChange> {
  return {
    email: toEmail,
    confirmed: { old: oldConfirmedAt !== null, new: newConfirmedAt !== null },
    mailed,
    expiresAt: timestamp(expiresAt),
  };
}

/** Reads the change of the caller's address that waits. */
export const getEmailChange = query({
  name: "auth.emailChange.info",
  summary: "Get the change of your e-mail address that waits",
  description: "`change` is null without one. It ends an hour after its links were made.",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: z.object({ change: EmailChange.nullable() }),
  async run({ reader, actor: { teamId, userId }, now, mail }) {
    const [row] = await reader.rows<ChangeRow>(sql`SELECT ${changeColumns}
      FROM email_changes c JOIN users u ON u."teamId" = c."teamId" AND u.id = c."userId" AND u.email = c."fromEmail"
      WHERE c."teamId" = ${teamId}::uuid AND c."userId" = ${userId}::uuid AND c."expiresAt" > ${now}`);
    return { change: row === undefined ? null : presentChange(row, mail !== undefined) };
  },
});
