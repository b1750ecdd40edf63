import { OauthError } from "../../oauth-error.ts";
import type { Check } from "./asked.ts";

/** OAuth 2.1 §4.1.1: `response_type` is required, and it is `code`: there is no implicit grant. */
export const responseTypeIsCode: Check = ({ parameters }) => {
  const type = parameters.get("response_type");
  if (type === undefined) throw new OauthError("invalid_request", "response_type is missing: it must be code.");
  if (type !== "code") throw new OauthError("unsupported_response_type", "response_type must be code.");
};
