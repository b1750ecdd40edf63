import type { Client } from "../clients/client.ts";
import type { Parameters } from "../parameters/read-parameters.ts";

/** A request for tokens by a client that has shown who it is. */
export type TokenRequest = {
  readonly client: Client;
  readonly parameters: Parameters;
  /** For which server the tokens are to be. */
  readonly resource: string;
};

/** One clause that a request has to meet. @throws {OauthError} for one that does not. */
export type Check<Held> = (request: TokenRequest, held: Held) => void;

/** Holds a request to the clauses, in their order. */
export function requireAll<Held>(checks: readonly Check<Held>[], request: TokenRequest, held: Held): void {
  for (const check of checks) check(request, held);
}
