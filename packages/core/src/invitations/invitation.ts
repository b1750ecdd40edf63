import type { Actor } from "@kb/auth";
import { type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { LanguageCode } from "../schema/profile.ts";
import { Timestamp, timestamp } from "../schema/text.ts";

/** The time for which an invitation is valid. */
export const invitationTtlMs = 7 * 24 * 60 * 60 * 1000;

/** An open invitation to the team. `mail` is the state of its latest mail; null where none was written. */
export const Invitation = z
  .object({
    id: z.uuid(),
    email: z.email(),
    groups: z.array(z.object({ id: z.uuid(), name: z.string() })),
    language: LanguageCode,
    invitedBy: z.object({ id: z.uuid(), name: z.string() }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    expired: z.boolean(),
    mail: z.enum(["pending", "sent", "failed"]).nullable(),
  })
  .meta({ id: "Invitation" });

/** An invitation with its link, which only this answer contains; null where it was mailed. */
export const InvitationWithLink = Invitation.extend({ link: z.url().nullable() }).meta({ id: "InvitationWithLink" });

/** A row of `invitationColumns`. */
export type InvitationRow = {
  readonly id: string;
  readonly email: string;
  readonly groups: { readonly id: string; readonly name: string }[];
  readonly language: z.output<typeof LanguageCode>;
  readonly createdById: string;
  readonly createdByName: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly mail: "pending" | "sent" | "failed" | null;
};

/** The select list for `invitationSource`. */
export const invitationColumns = sql`i.id, i.email, i.language, i."createdById", u.name AS "createdByName", i."createdAt",
  i."expiresAt", COALESCE((SELECT jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) ORDER BY lower(g.name), g.id)
    FROM invitation_groups l JOIN groups g ON g."teamId" = l."teamId" AND g.id = l."groupId"
    WHERE l."teamId" = i."teamId" AND l."invitationId" = i.id), '[]') AS groups,
  (SELECT m.status FROM mails m WHERE m."teamId" = i."teamId" AND m."subjectId" = i.id AND m.status <> 'withdrawn'
    ORDER BY m."createdAt" DESC, m.id DESC LIMIT 1) AS mail`;

/** The invitations with those who sent them. */
export const invitationSource = sql`invitations i JOIN users u ON u."teamId" = i."teamId" AND u.id = i."createdById"`;

/** Returns the invitation as the contract shows it. */
export function presentInvitation(row: InvitationRow, now: Date): z.input<typeof Invitation> {
  const { id, email, groups, language, mail } = row;
  return {
    id,
    email,
    groups,
    language,
    invitedBy: { id: row.createdById, name: row.createdByName },
    createdAt: timestamp(row.createdAt),
    expiresAt: timestamp(row.expiresAt),
    expired: row.expiresAt <= now,
    mail,
  };
}

/** Reads invitations of the team, by address. */
export function readInvitations(reader: Reader, { teamId }: Actor, which: Sql): Promise<InvitationRow[]> {
  return reader.rows<InvitationRow>(sql`SELECT ${invitationColumns} FROM ${invitationSource}
    WHERE i."teamId" = ${teamId}::uuid AND ${which} ORDER BY i.email`);
}

/** Reads one invitation of the team. @throws {ServiceError} `not_found` */
export async function requireInvitation(reader: Reader, actor: Actor, id: string): Promise<InvitationRow> {
  const [row] = await readInvitations(reader, actor, sql`i.id = ${id}::uuid`);
  if (row === undefined) throw notFound("Invitation");
  return row;
}
