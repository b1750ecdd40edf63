import { z } from "zod";
import { Name } from "../schema/names.ts";
import { Timestamp, timestamp, timestampOrNull } from "../schema/text.ts";

/** A passkey, as its owner sees it. */
export const Passkey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** Whether a provider copies it to the other devices of its owner. */
    synced: z.boolean(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable(),
  })
  .meta({ id: "Passkey" });

/** The columns of a passkey that its owner sees. */
export const passkeyColumns = { id: true, name: true, synced: true, createdAt: true, lastUsedAt: true } as const;

/** A row of `passkeyColumns`. */
export type PasskeyRow = {
  readonly id: string;
  readonly name: string;
  readonly synced: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

/** Returns a passkey as the contract shows it. */
export function presentPasskey({ id, name, synced, createdAt, lastUsedAt }: PasskeyRow): z.input<typeof Passkey> {
  return { id, name, synced, createdAt: timestamp(createdAt), lastUsedAt: timestampOrNull(lastUsedAt) };
}

/** The name of a passkey, by which its owner knows the device. */
export const PasskeyName = Name.pipe(z.string().max(100, "At most 100 characters"));

/** Bytes as text, as browsers give them. */
const base64url = (maximum: number) =>
  z
    .string()
    .min(1)
    .max(maximum)
    .regex(/^[\w-]+$/, "Must be base64url");

/** WebAuthn §5.1 limits the ids of credentials to 1,023 bytes. */
const CredentialId = base64url(1_364);
const ClientData = base64url(4_096);

/** The answer of a browser that made a passkey. */
export const NewCredential = z.strictObject({
  id: CredentialId,
  clientDataJSON: ClientData,
  attestationObject: base64url(32_768),
  transports: z
    .array(
      z
        .string()
        .max(32)
        .regex(/^[\w-]+$/, "Must be the name of a transport, such as usb"),
    )
    .max(10)
    .default([]),
});

/** The answer of a browser that used a passkey. */
export const UsedCredential = z.strictObject({
  id: CredentialId,
  clientDataJSON: ClientData,
  authenticatorData: base64url(4_096),
  signature: base64url(8_192),
  userHandle: base64url(128).optional(),
});

/** A passkey in the options of a browser. */
export const CredentialDescriptor = z.object({
  id: z.string(),
  type: z.string(),
  transports: z.array(z.string()).optional(),
});
