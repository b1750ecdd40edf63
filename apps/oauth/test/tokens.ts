import { type ConnectedApp, testRedirectUri, testVerifier } from "@kb/core/testing";
import { sql } from "@kb/db";
import { openSetting, type Setting } from "./setting.ts";

/** The parameters of a token request; null omits a usual one, a list sends it several times. */
export type Sent = Readonly<Record<string, string | null | readonly string[]>>;

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly [field: string]: string | number };
};

/** A setting whose team lets assistants in. */
export async function openTokens(options: Parameters<typeof openSetting>[0] = {}): Promise<Setting> {
  const setting = await openSetting(options);
  const { database } = setting.world.service;
  await database.acrossTeams.execute(sql`UPDATE teams SET "mcpEnabled" = true`);
  return setting;
}

type App = Pick<Setting["app"], "request">;

/** Sends a form, as clients do. */
export async function sendForm(
  app: App,
  path: string,
  sent: Sent,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = new URLSearchParams();
  for (const [name, given] of Object.entries(sent)) {
    for (const value of given === null ? [] : [given].flat()) body.append(name, value);
  }
  const answer = await app.request(path, { method: "POST", body, headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === "" ? {} : JSON.parse(text) };
}

type Code = Pick<ConnectedApp, "clientId" | "code">;

/** Redeems a code. */
export function redeem(app: App, { clientId, code }: Code, given: Sent = {}, headers?: Record<string, string>) {
  const usual = { grant_type: "authorization_code", client_id: clientId, redirect_uri: testRedirectUri };
  return sendForm(app, "/oauth/token", { ...usual, code, code_verifier: testVerifier, ...given }, headers);
}

type Held = Pick<ConnectedApp, "clientId" | "refreshToken">;

/** Uses a refresh token. */
export function refresh(
  app: App,
  { clientId, refreshToken }: Held,
  given: Sent = {},
  headers?: Record<string, string>,
) {
  const usual = { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken };
  return sendForm(app, "/oauth/token", { ...usual, ...given }, headers);
}

/** Revokes a token. */
export const revoke = (app: App, clientId: string, token: string | null, given: Sent = {}) =>
  sendForm(app, "/oauth/revoke", { client_id: clientId, token, ...given });
