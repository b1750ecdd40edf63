import { createLinkToken, hashLinkToken } from "@kb/auth";
import { newId, sql } from "@kb/db";
import type { z } from "zod";
import type { WriteContext } from "../context.ts";
import { queueMails } from "../mail/queue-mails.ts";
import { requireMayMail } from "../mail/require-may-mail.ts";
import { withdrawMails } from "../mail/withdraw-mails.ts";
import { type InvitationWithLink, invitationTtlMs, presentInvitation, readInvitations } from "./invitation.ts";

/** An invitation to write. An open one of the same address is replaced. */
export type NewInvitation = {
  /** The id of the invitation that this one continues. Default: a new one. */
  readonly id?: string;
  readonly email: string;
  readonly groupIds: readonly string[];
  readonly language: "en" | "ar";
};

/**
 * Writes invitations with new tokens, which end the earlier links of the same addresses, and mails them. Returns them with their
 * links where no mail is sent. Call it under `lockAuthority`.
 * @throws {ServiceError} `rate_limited`
 */
export async function writeInvitations(
  context: WriteContext,
  given: readonly NewInvitation[],
): Promise<z.input<typeof InvitationWithLink>[]> {
  const { tx, actor, now, appUrl, mail } = context;
  const { teamId } = actor;
  if (given.length === 0) return [];
  const emails = given.map(({ email }) => email);
  if (mail !== undefined) await requireMayMail(tx, teamId, emails, "admin", now);
  const replaced = await tx.rows<{ id: string }>(sql`DELETE FROM invitations
    WHERE "teamId" = ${teamId}::uuid AND email = ANY(${emails}::text[]) RETURNING id`);
  await withdrawMails(
    tx,
    teamId,
    replaced.map(({ id }) => id),
    now,
  );
  const expiresAt = new Date(now.getTime() + invitationTtlMs);
  const written = given.map((each) => ({ ...each, id: each.id ?? newId(), token: createLinkToken() }));
  await tx.invitation.createMany({
    data: written.map(({ id, email, language, token }) => {
      const hash = hashLinkToken("invitation", token);
      return { teamId, id, email, language, hash, createdById: actor.userId, createdAt: now, expiresAt };
    }),
  });
  await tx.invitationGroup.createMany({
    data: written.flatMap(({ id, groupIds }) => groupIds.map((groupId) => ({ teamId, invitationId: id, groupId }))),
  });
  if (mail !== undefined) await mailThem(context, written, expiresAt);
  const ids = written.map(({ id }) => id);
  const rows = await readInvitations(tx, actor, sql`i.id = ANY(${ids}::uuid[])`);
  return rows.map((row) => {
    const token = written.find(({ id }) => id === row.id)?.token ?? "";
    return { ...presentInvitation(row, now), link: mail === undefined ? `${appUrl}/join/${token}` : null };
  });
}

type Written = NewInvitation & { readonly id: string; readonly token: string };

async function mailThem({ tx, actor, now, mail }: WriteContext, written: readonly Written[], expiresAt: Date) {
  if (mail === undefined) return;
  const { teamId, userId, userName: by } = actor;
  const { name: team } = await tx.team.findUniqueOrThrow({ where: { id: teamId }, select: { name: true } });
  const mails = written.map(({ id, email, language, token }) => ({
    teamId,
    recipient: email,
    kind: "invitation" as const,
    language,
    facts: { team, by },
    causedById: userId,
    subjectId: id,
    token,
    at: now,
    expiresAt,
  }));
  await queueMails(tx, mail, mails);
}
