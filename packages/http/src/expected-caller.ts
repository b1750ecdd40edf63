import type { Caller, ExpectedCaller } from "@kb/auth";
import { CallerChangedError, type ServiceError } from "@kb/core";
import { bearerToken } from "./bearer-token.ts";
import type { EdgeContext } from "./edge.ts";
import { answerError } from "./error-handlers.ts";

// A request that only reads needs two statements: one finds the caller, the other reads as that caller. Both are sent in one
// round trip, the second for the caller that the credential had before. Nothing is answered before the first has confirmed
// that caller, so that a credential which has been revoked is refused by the next request.

/** Returns the user that a bearer token had before; undefined to authenticate at once. */
export type ExpectCaller = (token: string) => ExpectedCaller | undefined;

const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request with this method changes nothing. */
export const isReading = (method: string): boolean => readingMethods.has(method);

/** Returns the expected caller of a request with a bearer token. */
export function findExpected(context: EdgeContext, expect: ExpectCaller): ExpectedCaller | undefined {
  const token = tokenOf(context);
  return token === null ? undefined : expect(token);
}

/** Sets the caller of a request to the expected one. Returns whether there is one. */
export function expectCaller(context: EdgeContext, expected: ExpectedCaller | undefined): boolean {
  if (expected === undefined) return false;
  context.set("caller", expected.actor);
  context.set("expected", expected);
  return true;
}

/** Answers as the expected caller; if the caller has changed, again as the current one. */
export async function answerAsCaller<Answer>(
  context: EdgeContext,
  requireCaller: (context: EdgeContext) => Caller,
  answer: (caller: Caller, expected: ExpectedCaller | undefined) => Promise<Answer>,
): Promise<Answer> {
  const expected = context.get("expected");
  try {
    return await answer(requireCaller(context), expected);
  } catch (error) {
    if (expected === undefined || !(error instanceof CallerChangedError)) throw error;
    const actor = await expected.confirm();
    // Without a caller this throws. `confirmCaller` then words the refusal.
    context.set("caller", actor ?? undefined);
    return answer(requireCaller(context), undefined);
  }
}

/** Refuses a request whose expected credential is not valid, whatever it was answered. */
export async function confirmCaller(
  context: EdgeContext,
  refusal: (token: string | null) => ServiceError,
): Promise<void> {
  const expected = context.get("expected");
  if (expected === undefined) return;
  try {
    if ((await expected.confirm()) !== null) return;
    throw refusal(tokenOf(context));
  } catch (error) {
    context.set("caller", undefined);
    context.set("authenticationError", error);
    context.res = answerError(error, context);
  }
}

const tokenOf = (context: EdgeContext): string | null => bearerToken(context.req.header("Authorization") ?? "");
