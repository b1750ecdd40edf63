import { OauthError } from "../../oauth-error.ts";
import { promptOf } from "../prompt.ts";
import type { Check } from "./asked.ts";

/** Who wants nothing shown cannot want something shown besides. */
export const promptNoneIsAlone: Check = ({ parameters }) => {
  const prompt = promptOf(parameters);
  if (!prompt.has("none") || prompt.size === 1) return;
  throw new OauthError("invalid_request", "prompt none cannot stand beside another.");
};
