import type { ClientMetadata } from "@kb/auth";
import { type Outgoing, type OutgoingAnswer, OutgoingError } from "@kb/outgoing";
import { OauthError } from "../oauth-error.ts";
import { readClientMetadata } from "./client-metadata.ts";
import { freshnessSeconds } from "./freshness-seconds.ts";

const timeoutMs = 5_000;
const maxBytes = 5 * 1024;

/** The metadata in a document, and how long it may be cached. */
export type FetchedDocument = { readonly metadata: ClientMetadata; readonly freshForSeconds: number };

/**
 * Fetches the metadata document whose address is the id of the client.
 * @throws {OauthError} `invalid_client` if it cannot be fetched, is not such a document, or names another client.
 */
export async function fetchDocument(outgoing: Outgoing, clientId: string): Promise<FetchedDocument> {
  const answer = await request(outgoing, clientId);
  if (answer.status !== 200) throw unusable(clientId, `the status is ${answer.status} instead of 200`);
  if (!isJson(answer.headers["content-type"])) throw unusable(clientId, "its type is not application/json");
  const document = parseObject(answer.body);
  if (document === undefined) throw unusable(clientId, "it is not a JSON object");
  if (Reflect.get(document, "client_id") !== clientId) {
    throw unusable(clientId, "its client_id is not its own address");
  }
  requireNoSecret(clientId, document);
  const metadata = readMetadata(clientId, document);
  // MCP authorization, client registration §1.1: client_name is required.
  if (metadata.name === null) throw unusable(clientId, "it has no client_name");
  return { metadata, freshForSeconds: freshnessSeconds(answer.headers) };
}

async function request(outgoing: Outgoing, clientId: string): Promise<OutgoingAnswer> {
  try {
    const headers = { accept: "application/json", "user-agent": "kb-oauth" };
    return await outgoing(clientId, { timeoutMs, maxBytes, headers });
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    throw unusable(clientId, withoutPeriod(error.message), error);
  }
}

/** Client ID Metadata Documents §4: `application/json`, or a specific type of the form `application/…+json`. */
const isJson = (type = ""): boolean => /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type.trim());

function parseObject(body: Uint8Array): object | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Client ID Metadata Documents §4.1: a public document contains no secret. @throws {OauthError} `invalid_client` */
function requireNoSecret(clientId: string, document: object): void {
  const found = ["client_secret", "client_secret_expires_at"].find((name) => name in document);
  if (found !== undefined) throw unusable(clientId, `it must not contain ${found}`);
  const method: unknown = Reflect.get(document, "token_endpoint_auth_method") ?? "none";
  if (method === "none") return;
  throw unusable(clientId, "its token_endpoint_auth_method must be none");
}

function readMetadata(clientId: string, document: object): ClientMetadata {
  try {
    return readClientMetadata(document, "none");
  } catch (error) {
    if (error instanceof OauthError) throw unusable(clientId, withoutPeriod(error.message), error);
    throw error;
  }
}

const withoutPeriod = (sentence: string): string => sentence.replace(/\.$/, "");

function unusable(clientId: string, reason: string, cause?: unknown): OauthError {
  const description = `The app's metadata document ${clientId.slice(0, 200)} cannot be used: ${reason}.`;
  return new OauthError("invalid_client", description, { cause });
}
