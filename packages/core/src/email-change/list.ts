import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Timestamp, timestamp } from "../schema/text.ts";

/** The most changes in an answer. They end after an hour, so a team hardly has as many. */
const most = 100;

type Row = {
  readonly id: string;
  readonly name: string;
  readonly fromEmail: string;
  readonly toEmail: string;
  readonly expiresAt: Date;
};

/** Lists the changes of address in the team whose links an admin has to hand over. */
export const listEmailChanges = query({
  name: "users.emailChanges",
  summary: "List the changes of e-mail addresses whose links wait to be handed over",
  description:
    "Empty where mails are sent. users.emailChangeLinks makes the links; `id` is that of the user. The oldest 100.",
  scope: "read",
  capability: "settings.members",
  sessionOnly: true,
  input: z.strictObject({}),
  output: z.array(z.object({ id: z.uuid(), name: z.string(), from: z.string(), to: z.string(), expiresAt: Timestamp })),
  async run({ reader, actor: { teamId }, now, mail }) {
    if (mail !== undefined) return [];
    const rows = await reader.rows<Row>(sql`SELECT u.id, u.name, c."fromEmail", c."toEmail", c."expiresAt"
      FROM email_changes c JOIN users u ON u."teamId" = c."teamId" AND u.id = c."userId"
      WHERE c."teamId" = ${teamId}::uuid AND c."expiresAt" > ${now} AND u.email = c."fromEmail"
      ORDER BY c."createdAt", c."userId" LIMIT ${most}::int`);
    return rows.map(({ fromEmail: from, toEmail: to, expiresAt, ...user }) => ({
      ...user,
      from,
      to,
      expiresAt: timestamp(expiresAt),
    }));
  },
});
