import { type Account, createTotpSecret, type Sealer, totpSecretText, totpUri } from "@kb/auth";
import { z } from "zod";
import { Timestamp, timestamp } from "../schema/text.ts";
import { drawQrCode, QrCode } from "./qr-code.ts";

/** The time to read the QR code and type the first code. */
const lifetimeMs = 15 * 60_000;

/** A new authenticator app that its user has not confirmed yet. Nothing of it is stored: the ticket holds it, sealed. */
export const Enrolment = z.object({
  ticket: z.string(),
  /** The secret as people type it, and the address that an app reads from the QR code. */
  secret: z.string(),
  uri: z.string(),
  qrCode: QrCode,
  expiresAt: Timestamp,
});

const Content = z.strictObject({
  kind: z.literal("second_factor"),
  teamId: z.string(),
  userId: z.string(),
  secret: z.string(),
  replaces: z.string().nullable(),
  until: z.number(),
});

/** Creates an enrolment of a user. `replaces` is the mark of their present factor, which they have proven; null for none. */
export function createEnrolment(
  sealer: Sealer,
  { teamId, userId }: Account,
  { replaces, ...names }: Names & { readonly replaces: string | null },
  now: Date,
): z.output<typeof Enrolment> {
  const secret = createTotpSecret();
  const until = now.getTime() + lifetimeMs;
  const content: z.input<typeof Content> = {
    kind: "second_factor",
    teamId,
    userId,
    secret: Buffer.from(secret).toString("base64url"),
    replaces,
    until,
  };
  const ticket = Buffer.from(sealer.seal(Buffer.from(JSON.stringify(content)))).toString("base64url");
  return presentEnrolment({ ticket, secret, until }, names);
}

type Names = { readonly team: string; readonly email: string };
type Issued = { readonly ticket: string; readonly secret: Uint8Array<ArrayBuffer>; readonly until: number };

function presentEnrolment({ ticket, secret, until }: Issued, names: Names): z.output<typeof Enrolment> {
  const uri = totpUri(secret, names);
  return {
    ticket,
    secret: totpSecretText(secret),
    uri,
    qrCode: drawQrCode(uri),
    expiresAt: timestamp(new Date(until)),
  };
}

/** Returns an enrolment again, so that its user can try another code; null for one that ended or is of another user. */
export function reopenEnrolment(
  sealer: Sealer,
  ticket: string,
  { account, ...names }: Names & { readonly account: Account },
  now: Date,
): z.output<typeof Enrolment> | null {
  const opened = openEnrolment(sealer, ticket, account, now);
  if (opened === null || opened === "expired") return null;
  return presentEnrolment({ ticket, ...opened }, names);
}

/** The contents of a ticket: the secret of the new app, and the mark of the factor that it replaces. */
type OpenEnrolment = {
  readonly secret: Uint8Array<ArrayBuffer>;
  readonly replaces: string | null;
  readonly until: number;
};

/** Returns the contents of a ticket; `expired` for one that took too long, and null for one of another user and any other text. */
export function openEnrolment(
  sealer: Sealer,
  ticket: string,
  { teamId, userId }: Account,
  now: Date,
): OpenEnrolment | "expired" | null {
  const content = contentOf(sealer, ticket);
  if (content === null || content.teamId !== teamId || content.userId !== userId) return null;
  if (content.until <= now.getTime()) return "expired";
  return {
    secret: new Uint8Array(Buffer.from(content.secret, "base64url")),
    replaces: content.replaces,
    until: content.until,
  };
}

function contentOf(sealer: Sealer, ticket: string): z.output<typeof Content> | null {
  try {
    return Content.parse(JSON.parse(Buffer.from(sealer.open(Buffer.from(ticket, "base64url"))).toString()));
  } catch {
    return null;
  }
}
