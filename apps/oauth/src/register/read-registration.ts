import { ServiceError } from "@kb/core";
import { readJsonBody } from "@kb/http";
import { OauthError } from "../oauth-error.ts";
import { maxBodyBytes } from "../parameters/read-parameters.ts";

/**
 * The JSON object of a registration.
 * @throws {OauthError} `invalid_client_metadata` for a body that is none. @throws {ServiceError} `payload_too_large`.
 */
export async function readRegistration(request: Request): Promise<object> {
  try {
    return (await readJsonBody(request, maxBodyBytes)).value;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "payload_too_large") throw error;
    throw new OauthError("invalid_client_metadata", error.message, { cause: error });
  }
}
