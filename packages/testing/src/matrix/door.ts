import { authenticateAccessToken, authenticateApiKey, authenticateSession, type Caller } from "@kb/auth";
import { invoke, type Operation, operations, type Service, ServiceError } from "@kb/core";
import type { Credential } from "../api-client.ts";

const registry = new Map(Object.values(operations).map((operation) => [operation.name, asOperation(operation)]));

/** The names of all operations, sorted. */
export const operationNames: readonly string[] = [...registry.keys()].sort();

/** The operation of a name. @throws {Error} where there is none */
export function operationNamed(name: string): Operation {
  const operation = registry.get(name);
  if (operation === undefined) throw new Error(`no operation is called ${name}`);
  return operation;
}

/** Whatever it is asked, an operation parses by its own schema before it looks at it. */
function asOperation(operation: object): Operation {
  return operation as Operation;
}

/** Asks an operation through the door, as an edge does: `allowed`, or the code of the refusal. */
export async function ask(service: Service, name: string, credential: Credential, input: object): Promise<string> {
  const caller = await callerOf(service, credential);
  if (caller === null) return credential === null ? "authentication_required" : "invalid_api_key";
  try {
    await invoke(service, operationNamed(name), caller, input);
    return "allowed";
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

async function callerOf(service: Service, credential: Credential): Promise<Caller | null> {
  const { database, clock, oauth, appUrl } = service;
  if (credential === null) return null;
  if (typeof credential === "string") {
    const token = { resource: `${appUrl}/api/mcp`, now: clock.now() };
    const app = oauth && (await authenticateAccessToken(database, credential, { ...token, keys: oauth.keys }));
    return app ?? authenticateApiKey(database, credential, clock.now());
  }
  return authenticateSession(database, credential.token, clock.now());
}
