import type { Check } from "./asked.ts";
import { codeChallengeIsADigest } from "./code-challenge-is-a-digest.ts";
import { codeChallengeIsThere } from "./code-challenge-is-there.ts";
import { codeChallengeMethodIsS256 } from "./code-challenge-method-is-s256.ts";
import { noParameterIsRepeated } from "./no-parameter-is-repeated.ts";
import { promptNoneIsAlone } from "./prompt-none-is-alone.ts";
import { requestFitsThroughLogIn } from "./request-fits-through-log-in.ts";
import { resourceIsOurs } from "./resource-is-ours.ts";
import { responseModeIsQuery } from "./response-mode-is-query.ts";
import { responseTypeIsCode } from "./response-type-is-code.ts";

/** What a request must be, once it is known whose it is and where its answer goes; the first that fails is told. */
export const requestChecks: readonly Check[] = [
  noParameterIsRepeated,
  requestFitsThroughLogIn,
  responseTypeIsCode,
  responseModeIsQuery,
  codeChallengeIsThere,
  codeChallengeMethodIsS256,
  codeChallengeIsADigest,
  resourceIsOurs,
  promptNoneIsAlone,
];
