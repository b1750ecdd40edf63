import { OauthError } from "../../oauth-error.ts";
import { authorizePath } from "../../paths.ts";
import { maxReturnTo } from "../../return-to.ts";
import type { Check } from "./asked.ts";

/** Whoever has to log in first must find the request again behind it. */
export const requestFitsThroughLogIn: Check = ({ query }) => {
  const most = maxReturnTo - authorizePath.length - 1;
  if (query.length <= most) return;
  throw new OauthError(
    "invalid_request",
    `The request is too long: ${most} characters are enough, its state included.`,
  );
};
