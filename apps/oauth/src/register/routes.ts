import type { Service } from "@kb/core";
import { clientNetwork, type Edge, type EdgeContext, type Limiter } from "@kb/http";
import type { Hono } from "hono";
import { readClientMetadata } from "../clients/client-metadata.ts";
import { serveEndpoint } from "../endpoint.ts";
import { OauthError } from "../oauth-error.ts";
import { readRegistration } from "./read-registration.ts";
import { type Registered, register } from "./register.ts";

/** What registrations stand on. */
export type RegistrationOptions = {
  readonly service: Service;
  readonly limiter: Limiter;
  /** Registrations an hour for each address. */
  readonly perHour: number;
};

const hourMs = 3_600_000;

/** `POST /oauth/register`: dynamic client registration (RFC 7591), open to everybody and so bounded. */
export function serveRegistration(app: Hono<Edge>, { service, limiter, perHour }: RegistrationOptions): void {
  serveEndpoint(app, "POST", "/oauth/register", async (context) => {
    // RFC 7591 §2: a method that is not named is client_secret_basic.
    const metadata = readClientMetadata(await readRegistration(context.req.raw), "client_secret_basic");
    await requireRoom(context, limiter, perHour);
    const registered = await register(service, metadata);
    context.header("Cache-Control", "no-store");
    context.header("Pragma", "no-cache");
    return context.json(answerOf(registered), 201);
  });
}

/** What is refused for what it says is not counted: who mends it is not shut out. */
async function requireRoom({ var: { address } }: EdgeContext, limiter: Limiter, perHour: number): Promise<void> {
  const key = `oauth-register:${clientNetwork(address)}`;
  const { allowed, resetMs } = await limiter.take({ key, limit: perHour, windowMs: hourMs });
  if (allowed) return;
  throw new OauthError("too_many_requests", `At most ${perHour} apps an hour may be registered from one address.`, {
    status: 429,
    headers: { "Retry-After": String(Math.max(1, Math.ceil(resetMs / 1000))) },
  });
}

/** RFC 7591 §3.2.1: all that is registered, as it is registered. */
function answerOf({ id, secret, registeredAt, metadata }: Registered): Readonly<Record<string, unknown>> {
  const { name, redirectUris, authentication, clientUri } = metadata;
  return {
    client_id: id,
    client_id_issued_at: Math.floor(registeredAt.getTime() / 1000),
    // It does not run out.
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    ...(name === null ? {} : { client_name: name }),
    ...(clientUri === null ? {} : { client_uri: clientUri }),
    redirect_uris: redirectUris,
    token_endpoint_auth_method: authentication,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
}
