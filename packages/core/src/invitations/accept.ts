import {
  activeUser,
  createSession,
  findFirstStep,
  hashLinkToken,
  hashPassword,
  holds,
  isLinkToken,
  type NeededStep,
} from "@kb/auth";
import { newId, sql, stampMoment, type Tx } from "@kb/db";
import { z } from "zod";
import { insertAudit } from "../audit/entry.ts";
import type { Service } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { parseInput } from "../input-error.ts";
import { withdrawMails } from "../mail/withdraw-mails.ts";
import { Name, Password } from "../schema/names.ts";
import type { Language } from "../schema/profile.ts";
import { usesPasswords } from "../sessions/require-passwords.ts";
import { addUser, nameFrom } from "../users/add.ts";
import { lockPeople } from "../users/authority.ts";
import { requireGroups } from "../users/memberships.ts";
import { requireStrongPassword } from "../users/require-strong-password.ts";

/** What the page of an invitation shows. */
export type InvitationPreview = { readonly team: string; readonly invitedBy: string; readonly email: string };

type Found = InvitationPreview & { readonly teamId: string; readonly id: string; readonly createdById: string };

const openInvitation = sql`SELECT i."teamId", i.id, i.email, i."createdById", t.name AS team, u.name AS "invitedBy"
  FROM invitations i JOIN teams t ON t.id = i."teamId"
    JOIN users u ON u."teamId" = i."teamId" AND u.id = i."createdById" AND u."suspendedAt" IS NULL`;

/** Finds an open invitation by its token; null for an unknown, used, revoked or expired one. */
export async function findInvitation(
  { database, clock }: Pick<Service, "database" | "clock">,
  token: string,
): Promise<Found | null> {
  if (!isLinkToken(token)) return null;
  const [row] = await database.beforeTeam.rows<Found>(sql`${openInvitation}
    WHERE i.hash = ${hashLinkToken("invitation", token)} AND i."expiresAt" > ${clock.now()}`);
  return row ?? null;
}

/** What an invited person enters, and how they came. */
export type Acceptance = {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  /** The language of the page, which becomes theirs. */
  readonly language: Language;
  readonly address: string;
  readonly userAgent?: string | undefined;
  readonly requestId: string;
};

const Entered = z.object({ name: Name, password: Password });

/**
 * Accepts an invitation: adds the user to its groups and starts their session, or returns the first step of their log-in where the
 * team requires a second factor. Null for a link that is not valid, also because its
 * sender may no longer invite to these groups, and for each where passwords are switched off. Of many at once, one succeeds.
 * @throws {ServiceError} `validation_error` for the name or the password, `conflict` when a user has the address.
 * @throws {BusyError} if too many passwords are waiting to be hashed.
 */
export async function acceptInvitation(
  service: Service,
  acceptance: Acceptance,
): Promise<{ readonly token: string } | NeededStep | null> {
  const found = await findInvitation(service, acceptance.token);
  if (found === null || !usesPasswords(service)) return null;
  const { name, password } = parseInput(Entered, { name: acceptance.name, password: acceptance.password });
  await requireStrongPassword("password", password, { name, email: found.email });
  const passwordHash = await hashPassword(password);
  const { database, clock } = service;
  return await database.transaction(async (tx) => {
    const now = clock.now();
    const { address, userAgent, requestId, language } = acceptance;
    const hash = hashLinkToken("invitation", acceptance.token);
    const newcomer = { name, passwordHash, language, address, requestId };
    const joined = await joinTeam(tx, found, { ...newcomer, invitation: { hash } }, now);
    if (joined === null) return null;
    const account = { teamId: found.teamId, userId: joined.id };
    const firstStep = await findFirstStep(tx, account);
    if (firstStep !== null) return firstStep;
    const session = await createSession(tx, { ...account, address, userAgent }, now);
    const entry = {
      teamId: found.teamId,
      at: now,
      userId: joined.id,
      credential: { kind: "session", id: session.id },
      outcome: "success",
      target: { type: "user", id: joined.id },
      address,
      requestId,
    } as const;
    await tx.execute(insertAudit([{ ...entry, action: "session.login", details: { method: "invitation" } }]));
    return session;
  });
}

/** Somebody whose address the single sign-on has verified, and how they came. */
export type VerifiedPerson = {
  readonly email: string;
  readonly name: string;
  /** The language of the page, which becomes theirs. */
  readonly language: Language;
  readonly address: string;
  readonly requestId: string;
};

/**
 * Accepts the last invitation to an address that the single sign-on has verified: that proves as much as a link that was mailed to
 * it. Returns the new user, who has no password; null without an open invitation whose sender may still invite to its groups. Of many
 * at once, one succeeds.
 * @throws {ServiceError} `conflict` when a user has the address.
 */
export async function acceptInvitationByEmail(
  { database, clock }: Pick<Service, "database" | "clock">,
  person: VerifiedPerson,
): Promise<{ readonly id: string; readonly teamId: string } | null> {
  const email = person.email.trim().toLowerCase();
  if (email.includes("\0")) return null;
  const [found] = await database.beforeTeam.rows<Found>(sql`${openInvitation}
    WHERE i.email = ${email} AND i."expiresAt" > ${clock.now()} ORDER BY i."createdAt" DESC, i.id DESC LIMIT 1`);
  if (found === undefined) return null;
  const { language, address, requestId } = person;
  const name = Name.safeParse(person.name).data ?? nameFrom(email);
  const newcomer = { name, passwordHash: null, language, address, requestId, invitation: {} };
  return await database.transaction((tx) => joinTeam(tx, found, newcomer, clock.now()));
}

/** A new user, and how they came. */
type Newcomer = {
  readonly name: string;
  readonly passwordHash: string | null;
  readonly language: Language;
  readonly address: string;
  readonly requestId: string;
  /** What the invitation must still have. */
  readonly invitation: { readonly hash?: Uint8Array<ArrayBuffer> };
};

/** Ends an invitation and adds its user, which the audit log records. Null if it is no longer valid. */
async function joinTeam(
  tx: Tx,
  found: Found,
  { name, passwordHash, language, address, requestId, invitation }: Newcomer,
  now: Date,
): Promise<{ readonly id: string; readonly teamId: string } | null> {
  const { teamId, email, createdById } = found;
  await lockPeople(tx, teamId);
  const groupIds = await takeInvitation(tx, found, invitation, now);
  if (groupIds === null) return null;
  const id = newId();
  const at = await stampMoment(tx, teamId, now);
  await addUser(tx, { teamId, id, email, name, passwordHash, language, at, groupIds });
  await withdrawMails(tx, teamId, [found.id], now);
  const details = { invitedBy: createdById, groupIds, method: passwordHash === null ? "single_sign_on" : "password" };
  const entry = { teamId, at: now, userId: id, credential: null, outcome: "success", address, requestId } as const;
  const target = { type: "user", id };
  await tx.execute(insertAudit([{ ...entry, action: "invitations.accept", target, details }]));
  return { id, teamId };
}

/**
 * Takes the invitation, which ends it, and returns the groups to join. Null if it is no longer valid, which leaves it in the list
 * of those who invite.
 */
async function takeInvitation(
  tx: Tx,
  { teamId, id, createdById }: Found,
  invitation: Newcomer["invitation"],
  now: Date,
): Promise<string[] | null> {
  const links = await tx.invitationGroup.findMany({ where: { teamId, invitationId: id }, select: { groupId: true } });
  const inviter = await activeUser(tx, teamId, createdById);
  if (inviter === null || !holds(inviter, "settings.members")) return null;
  const groupIds = links.map(({ groupId }) => groupId);
  try {
    await requireGroups(tx, inviter, groupIds);
  } catch (error) {
    // The sender has lost permissions that the groups give, or a group was just deleted.
    if (error instanceof ServiceError) return null;
    throw error;
  }
  const { count } = await tx.invitation.deleteMany({ where: { teamId, id, ...invitation, expiresAt: { gt: now } } });
  return count === 0 ? null : groupIds;
}
