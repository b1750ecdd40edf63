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
  until: z.number(),
});

/** Creates an enrolment of a user. */
export function createEnrolment(
  sealer: Sealer,
  { teamId, userId }: Account,
  names: { readonly team: string; readonly email: string },
  now: Date,
): z.output<typeof Enrolment> {
  const secret = createTotpSecret();
  const uri = totpUri(secret, names);
  const until = now.getTime() + lifetimeMs;
  const content: z.input<typeof Content> = {
    kind: "second_factor",
    teamId,
    userId,
    secret: Buffer.from(secret).toString("base64url"),
    until,
  };
  const ticket = Buffer.from(sealer.seal(Buffer.from(JSON.stringify(content)))).toString("base64url");
  return {
    ticket,
    secret: totpSecretText(secret),
    uri,
    qrCode: drawQrCode(uri),
    expiresAt: timestamp(new Date(until)),
  };
}

/** Returns the secret of a ticket; null for one of another user, one that has expired, and any other text. */
export function openEnrolment(
  sealer: Sealer,
  ticket: string,
  { teamId, userId }: Account,
  now: Date,
): Uint8Array<ArrayBuffer> | null {
  const content = contentOf(sealer, ticket);
  if (content === null || content.teamId !== teamId || content.userId !== userId) return null;
  return content.until > now.getTime() ? new Uint8Array(Buffer.from(content.secret, "base64url")) : null;
}

function contentOf(sealer: Sealer, ticket: string): z.output<typeof Content> | null {
  try {
    return Content.parse(JSON.parse(Buffer.from(sealer.open(Buffer.from(ticket, "base64url"))).toString()));
  } catch {
    return null;
  }
}
