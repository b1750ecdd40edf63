import type { Sealer } from "@kb/auth";
import { newId } from "@kb/db";
import type { Service } from "../context.ts";
import { mailChannel } from "../mail/queue-mails.ts";

/** A request for a link at the page of forgotten passwords. */
export type ResetRequest = {
  /** The address that was typed: it may be nobody's. */
  readonly email: string;
  /** The client's address, for the audit log. */
  readonly address: string;
  readonly requestId: string;
};

const maxEmailLength = 254;

/**
 * Stores a request. A worker looks for the account later: this answers in the same way and takes the same time whether or not one
 * exists. The request is sealed, because people type passwords into the wrong field.
 */
export async function requestPasswordReset(
  { database, clock }: Pick<Service, "database" | "clock">,
  { sealer }: { readonly sealer: Sealer },
  { email, address, requestId }: ResetRequest,
): Promise<void> {
  const typed = email.trim().toLowerCase().slice(0, maxEmailLength);
  const sealed = sealer.seal(new TextEncoder().encode(JSON.stringify({ email: typed, address, requestId })));
  await database.transaction(async (tx) => {
    await tx.passwordResetRequest.create({
      data: { id: newId(), sealed, createdAt: clock.now() },
      select: { id: true },
    });
    tx.announce({ channel: mailChannel, payload: "" });
  });
}
