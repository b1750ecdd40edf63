import { authenticateAccessToken, authenticateApiKey, authenticateSession, type Caller } from "@kb/auth";
import { invoke, type Operation, operations, type Service, ServiceError } from "../../index.ts";
import type { Credential } from "../credential.ts";

const registry = new Map(Object.values(operations).map((operation) => [operation.name, asOperation(operation)]));

/** Names of all operations, sorted. */
export const operationNames: readonly string[] = [...registry.keys()].sort();

/** Returns the operation with a name. @throws {Error} if none has it */
export function operationNamed(name: string): Operation {
  const operation = registry.get(name);
  if (operation === undefined) throw new Error(`no operation is called ${name}`);
  return operation;
}

/** The cast is safe because an operation parses its input with its own schema before it uses it. */
function asOperation(operation: object): Operation {
  return operation as Operation;
}

/** Authenticates and invokes an operation as an edge does. Returns `allowed` or the code of the refusal. */
export async function invokeOperation(
  service: Service,
  name: string,
  credential: Credential,
  input: object,
): Promise<string> {
  const caller = await authenticateCredential(service, credential);
  if (caller === null) return credential === null ? "authentication_required" : "invalid_api_key";
  try {
    await invoke(service, operationNamed(name), caller, input);
    return "allowed";
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

/** Authenticates a credential as an edge does. Returns null if it is not valid. */
export async function authenticateCredential(service: Service, credential: Credential): Promise<Caller | null> {
  const { database, clock, oauth, appUrl } = service;
  if (credential === null) return null;
  if (typeof credential === "string") {
    const token = { resource: `${appUrl}/api/mcp`, now: clock.now() };
    const app = oauth && (await authenticateAccessToken(database, credential, { ...token, keys: oauth.keys }));
    return app ?? authenticateApiKey(database, credential, clock.now());
  }
  return authenticateSession(database, credential.token, clock.now());
}
