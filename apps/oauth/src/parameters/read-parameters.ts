import { type EdgeContext, readBytes } from "@kb/http";
import { OauthError } from "../oauth-error.ts";

/** The parameters of a request. RFC 6749 §3.1: one without a value counts as left out. */
export type Parameters = {
  /** The value of one that was sent once; undefined for one that was left out, or sent several times. */
  get(name: string): string | undefined;
  /** All values of one that may repeat. */
  all(name: string): readonly string[];
  /** Those that were sent several times and must not be; `refuseRepeated` refuses them. */
  readonly repeated: readonly string[];
};

/** Far more than any request of the protocol needs. */
export const maxBodyBytes = 16_384;

/** RFC 8707 §2: a client may name several resources. */
const repeatable: ReadonlySet<string> = new Set(["resource"]);

/**
 * Reads the form that RFC 6749 §4.1.3 asks for; what stands in the address counts for nothing.
 * @throws {OauthError} `invalid_request` for another type of body, and for a parameter that was sent twice.
 * @throws {ServiceError} `payload_too_large`.
 */
export async function readFormParameters(context: EdgeContext): Promise<Parameters> {
  const [type = ""] = (context.req.header("Content-Type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") {
    throw new OauthError("invalid_request", "Send the parameters as Content-Type: application/x-www-form-urlencoded.");
  }
  const bytes = await readBytes(context.req.raw, maxBodyBytes);
  const parameters = parametersOf(new URLSearchParams(Buffer.from(bytes).toString("utf8")));
  refuseRepeated(parameters);
  return parameters;
}

/** RFC 6749 §3.1. @throws {OauthError} `invalid_request` that names a parameter which was sent more than once. */
export function refuseRepeated({ repeated: [name] }: Parameters): void {
  if (name === undefined) return;
  throw new OauthError("invalid_request", `The parameter '${name.slice(0, 100)}' was sent more than once.`);
}

/** Makes them of what was sent, in a form or an address; what was sent twice is not refused yet. @throws {OauthError} `invalid_request` for a value with control characters in it. */
export function parametersOf(sent: URLSearchParams): Parameters {
  const values = new Map<string, string[]>();
  for (const [name, value] of sent) {
    if (/\p{Cc}/u.test(value)) {
      throw new OauthError("invalid_request", `The parameter '${name.slice(0, 100)}' has control characters in it.`);
    }
    const known = values.get(name);
    // Not a new list each time: a body of one name sent thousands of times would hold up everybody.
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
