import { OauthError } from "../../oauth-error.ts";
import type { Check } from "./asked.ts";

/** Whoever asks for another way back could not read this one: it is told before anybody consents. */
export const responseModeIsQuery: Check = ({ parameters }) => {
  const mode = parameters.get("response_mode");
  if (mode !== undefined && mode !== "query") {
    throw new OauthError("invalid_request", "response_mode must be query, which it is where it is left out.");
  }
};
