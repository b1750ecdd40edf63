import { type RegisteredClient, registerClient } from "@kb/auth";
import { type Service, ServiceError } from "@kb/core";
import { clientNetwork, type Edge, type EdgeContext, readJsonBody, subjectOf } from "@kb/http";
import type { Limiter } from "@kb/runtime";
import type { Hono } from "hono";
import { serveEndpoint } from "../endpoint.ts";
import { maxBodyBytes } from "../form-body.ts";
import { forbidCaching, OauthError } from "../oauth-error.ts";
import { requireWithinLimit } from "../rate-limit.ts";
import { readClientMetadata } from "./client-metadata.ts";

/** Dependencies of the registration endpoint. */
export type RegistrationOptions = {
  readonly service: Service;
  readonly limiter: Limiter;
  /** Registrations an hour per network. */
  readonly perHour: number;
};

const hourMs = 3_600_000;

/** Serves `POST /oauth/register`: dynamic client registration (RFC 7591), open to everyone and therefore limited. */
export function serveRegistration(app: Hono<Edge>, { service, limiter, perHour }: RegistrationOptions): void {
  serveEndpoint(app, "POST", "/oauth/register", async (context) => {
    // RFC 7591 §2: the default method is client_secret_basic.
    const metadata = readClientMetadata(await readRegistration(context), "client_secret_basic");
    // Counted after the validation: a developer who corrects a registration is not locked out.
    const key = `oauth-register:${clientNetwork(context.var.address)}`;
    const message = `At most ${perHour} apps per hour can be registered from one address.`;
    await requireWithinLimit(limiter, { key, limit: perHour, windowMs: hourMs }, message);
    const registered = await registerClient(service.database, metadata, service.clock.now());
    forbidCaching(context);
    return context.json(registrationResponse(registered), 201);
  });
}

/**
 * Reads the JSON object of a registration.
 * @throws {OauthError} `invalid_client_metadata` for another body. @throws {ServiceError} `payload_too_large`.
 */
async function readRegistration(context: EdgeContext): Promise<object> {
  try {
    const { value } = await readJsonBody(context.req.raw, subjectOf(context), maxBodyBytes);
    return value;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "payload_too_large") throw error;
    throw new OauthError("invalid_client_metadata", error.message, { cause: error });
  }
}

/** RFC 7591 §3.2.1: the answer repeats all registered metadata. A secret does not expire (`0`). */
function registrationResponse(registered: RegisteredClient): Readonly<Record<string, unknown>> {
  const { id, secret, registeredAt, metadata } = registered;
  const { name, redirectUris, authentication, clientUri } = metadata;
  return {
    client_id: id,
    client_id_issued_at: Math.floor(registeredAt.getTime() / 1000),
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    ...(name === null ? {} : { client_name: name }),
    ...(clientUri === null ? {} : { client_uri: clientUri }),
    redirect_uris: redirectUris,
    token_endpoint_auth_method: authentication,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
}
