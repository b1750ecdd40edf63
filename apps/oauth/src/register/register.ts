import { createHash, randomBytes } from "node:crypto";
import type { Service } from "@kb/core";
import { sql } from "@kb/db";
import { hashSecret } from "../clients/authenticate-client.ts";
import type { ClientMetadata } from "../clients/client.ts";
import { forgetUnused, storeMetadata } from "../clients/store-client.ts";

/** A client that was just registered; its secret is told now and never again. */
export type Registered = {
  readonly id: string;
  readonly secret: string | undefined;
  readonly registeredAt: Date;
  readonly metadata: ClientMetadata;
};

/** Of equal clients with secrets so many are kept that were never used: several people may be connecting one app. */
const maxEqualUnused = 10;
/** Whoever registers takes so long at most to have its user asked: nobody pushes it out meanwhile with a row of equal ones. */
const connectingMs = 10 * 60_000;

/**
 * Registers a client. Without a secret, equal ones are one: the id is made of what they say of themselves, so a client that
 * registers at each start leaves one row. With a secret each is its own, and of equal ones the oldest unused go.
 */
export async function register(service: Service, metadata: ClientMetadata): Promise<Registered> {
  const [family, registeredAt] = [familyOf(metadata), service.clock.now()];
  if (metadata.authentication === "none") {
    await storeMetadata(service, family, metadata, { kind: "dynamic", secretHash: null });
    return { id: family, secret: undefined, registeredAt, metadata };
  }
  const id = `${family}.${randomBytes(12).toString("base64url")}`;
  const secret = randomBytes(32).toString("base64url");
  await storeMetadata(service, id, metadata, { kind: "dynamic", secretHash: hashSecret(secret) });
  const connectingSince = new Date(registeredAt.getTime() - connectingMs);
  await forgetUnused(
    service.database,
    sql`SELECT id FROM (SELECT id, "createdAt" FROM oauth_clients
        WHERE "lastUsedAt" IS NULL AND starts_with(id, ${`${family}.`})
        ORDER BY "createdAt" DESC, id OFFSET ${maxEqualUnused}) equal WHERE "createdAt" < ${connectingSince}`,
  );
  return { id, secret, registeredAt, metadata };
}

/** The same for what is equal, in whatever order it was sent; no address, so that no metadata document is meant. */
function familyOf({ name, redirectUris, authentication, clientUri }: ClientMetadata): string {
  const said = JSON.stringify([name, [...redirectUris].sort(), authentication, clientUri]);
  return `app_${createHash("sha256").update(said).digest("base64url").slice(0, 32)}`;
}
