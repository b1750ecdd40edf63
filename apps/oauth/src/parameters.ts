import type { EdgeContext } from "@kb/http";
import { formType, readFormBody } from "./form-body.ts";
import { OauthError } from "./oauth-error.ts";

/** The parameters of a request. RFC 6749 §3.1: a parameter without a value counts as missing. */
export type Parameters = {
  /** The value of a parameter that was sent once; undefined if it is missing or was sent several times. */
  get(name: string): string | undefined;
  /** All values of a parameter that may repeat. */
  all(name: string): readonly string[];
  /** The parameters that were sent several times but must not be; `requireNoRepetition` rejects them. */
  readonly repeated: readonly string[];
};

/** RFC 8707 §2: a client may name several resources. */
const repeatable: ReadonlySet<string> = new Set(["resource"]);

/**
 * Reads the form that RFC 6749 §4.1.3 requires; a query string is ignored.
 * @throws {OauthError} `invalid_request` for another type of body, and for a parameter that was sent twice.
 * @throws {ServiceError} `payload_too_large`.
 */
export async function readFormParameters(context: EdgeContext): Promise<Parameters> {
  const received = await readFormBody(context);
  if (received === null) {
    throw new OauthError("invalid_request", `Send the parameters as Content-Type: ${formType}.`);
  }
  const parameters = parseParameters(received);
  requireNoRepetition(parameters);
  return parameters;
}

/** RFC 6749 §3.1. @throws {OauthError} `invalid_request` that names a parameter which was sent more than once. */
export function requireNoRepetition({ repeated: [name] }: Parameters): void {
  if (name === undefined) return;
  throw new OauthError("invalid_request", `The parameter '${name.slice(0, 100)}' was sent more than once.`);
}

/**
 * Parses the parameters of a form or an address; does not reject repeated ones yet.
 * @throws {OauthError} `invalid_request` for a value with control characters.
 */
export function parseParameters(received: URLSearchParams): Parameters {
  const values = new Map<string, string[]>();
  for (const [name, value] of received) {
    if (/\p{Cc}/u.test(value)) {
      throw new OauthError("invalid_request", `The parameter '${name.slice(0, 100)}' contains control characters.`);
    }
    const known = values.get(name);
    // Appends in place: copying the list for each of thousands of equal names would take quadratic time.
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  const all = (name: string): string[] => (values.get(name) ?? []).filter((value) => value !== "");
  const repeated = [...values].flatMap(([name, { length }]) => (length > 1 && !repeatable.has(name) ? [name] : []));
  return {
    all,
    repeated,
    get: (name) => (values.get(name)?.length === 1 ? all(name)[0] : undefined),
  };
}
