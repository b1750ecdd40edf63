import { type Outgoing, type OutgoingAnswer, OutgoingError } from "@kb/outgoing";
import { OauthError } from "../oauth-error.ts";
import { secondsToKeep } from "./cache-lifetime.ts";
import type { ClientMetadata } from "./client.ts";
import { readClientMetadata } from "./client-metadata.ts";

const timeoutMs = 5_000;
const maxBytes = 5 * 1024;

/** What a document says, and for how long that may be kept. */
export type FetchedDocument = { readonly metadata: ClientMetadata; readonly keepForSeconds: number };

/**
 * Fetches the document at the address that is a client's id.
 * @throws {OauthError} `invalid_client`: it cannot be had, is no such document, or does not name itself.
 */
export async function fetchDocument(outgoing: Outgoing, clientId: string): Promise<FetchedDocument> {
  const answer = await ask(outgoing, clientId);
  if (answer.status !== 200) throw unusable(clientId, `the answer is ${answer.status} where 200 is needed`);
  if (!isJson(answer.headers["content-type"])) throw unusable(clientId, "it is not sent as application/json");
  const document = parse(answer.body);
  if (document === undefined) throw unusable(clientId, "it is no JSON object");
  if (Reflect.get(document, "client_id") !== clientId) {
    throw unusable(clientId, "its client_id is not the address that it is at");
  }
  requireNoSecret(clientId, document);
  const metadata = read(clientId, document);
  // MCP authorization, client registration §1.1: client_name is one of the fields that must be there.
  if (metadata.name === null) throw unusable(clientId, "it has no client_name");
  return { metadata, keepForSeconds: secondsToKeep(answer.headers) };
}

async function ask(outgoing: Outgoing, clientId: string): Promise<OutgoingAnswer> {
  try {
    const headers = { accept: "application/json", "user-agent": "kb-oauth" };
    return await outgoing(clientId, { timeoutMs, maxBytes, headers });
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    throw unusable(clientId, error.message.replace(/\.$/, ""), error);
  }
}

/** The draft's §4: `application/json`, or a more special type of the form `application/…+json`. */
const isJson = (type = ""): boolean => /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type.trim());

function parse(body: Uint8Array): object | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The draft's §4.1: what everybody may read holds no secret. */
function requireNoSecret(clientId: string, document: object): void {
  const found = ["client_secret", "client_secret_expires_at"].find((name) => name in document);
  if (found !== undefined) throw unusable(clientId, `${found} must not stand in it`);
  const method: unknown = Reflect.get(document, "token_endpoint_auth_method") ?? "none";
  if (method === "none") return;
  throw unusable(clientId, "its token_endpoint_auth_method is not offered for such clients: use none");
}

function read(clientId: string, document: object): ClientMetadata {
  try {
    return readClientMetadata(document, "none");
  } catch (error) {
    if (error instanceof OauthError) throw unusable(clientId, error.message.replace(/\.$/, ""), error);
    throw error;
  }
}

function unusable(clientId: string, reason: string, cause?: unknown): OauthError {
  const description = `The app's metadata document ${clientId.slice(0, 200)} cannot be used: ${reason}.`;
  return new OauthError("invalid_client", description, { cause });
}
