import { hasFreshProof, invoke, operations, type Service, ServiceError } from "@kb/core";
import { type BrowserSession, type EdgeContext, preferredLanguage } from "@kb/http";
import { wordsOf } from "../account/words/words-of.ts";
import { pageWordsOf } from "../pages/words/page-words-of.ts";

/** The proof that allowing an app needs: what the user types, another log-in, or nothing if the last proof still counts. */
export type NeededProof = "code" | "password" | "log_in" | null;

/** Returns the proof that the user of a session has to give before they allow an app. */
export async function findNeededProof(service: Service, { actor }: BrowserSession): Promise<NeededProof> {
  if (hasFreshProof(actor, service.clock.now())) return null;
  const { proof } = await invoke(service, operations.getSecondFactor, actor, {});
  // A passkey needs script, which this page does without; at a log-in it works.
  return proof === "none" || proof === "passkey" ? "log_in" : proof;
}

/** Why a typed proof was refused, for the user. */
export type ProofRefusal = {
  readonly problem: string;
  readonly status: 401 | 429;
  readonly retryAfterSeconds?: number | undefined;
};

/** Checks what the user typed, as `auth.prove` does. Returns why it was refused; null for a proof that counts from now on. */
export async function proveTyped(
  context: EdgeContext,
  service: Service,
  { actor }: BrowserSession,
  { kind, typed }: { readonly kind: "code" | "password"; readonly typed: string },
): Promise<ProofRefusal | null> {
  const { address, requestId } = context.var;
  try {
    await invoke(service, operations.proveOwner, actor, { proof: typed }, { address, requestId });
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const language = preferredLanguage(context);
    const codes = wordsOf(language).secondStep;
    const { wrongPassword, manyPasswords } = pageWordsOf(language).consent;
    const isCode = kind === "code";
    if (error.code === "validation_error") return { problem: isCode ? codes.wrong : wrongPassword, status: 401 };
    if (error.code !== "rate_limited") throw error;
    const { retryAfterSeconds = 60 } = error;
    const minutes = Math.ceil(retryAfterSeconds / 60);
    const problem = isCode ? codes.throttled(minutes) : manyPasswords(minutes);
    return { problem, status: 429, retryAfterSeconds };
  }
}
