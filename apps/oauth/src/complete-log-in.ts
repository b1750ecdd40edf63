import { endSession } from "@kb/auth";
import type { Service } from "@kb/core";
import type { EdgeContext, Sessions } from "@kb/http";
import { redirectTo } from "./redirect.ts";

/** Dependencies of a log-in by any method. */
export type LogInDependencies = { readonly service: Service; readonly sessions: Sessions };

/**
 * Sets the browser's new session and redirects it to `returnTo`, a path that was checked to be of this origin. The
 * browser's previous session ends, which prevents session fixation.
 */
export async function completeLogIn(
  context: EdgeContext,
  dependencies: LogInDependencies,
  session: { readonly token: string },
  returnTo: string,
): Promise<Response> {
  await startBrowserSession(context, dependencies, session);
  return redirectTo(context, returnTo);
}

/** Sets the browser's new session and ends its previous one, for an answer that is no redirect. */
export async function startBrowserSession(
  context: EdgeContext,
  { service, sessions }: LogInDependencies,
  { token }: { readonly token: string },
): Promise<void> {
  const previous = await sessions.find(context);
  if (previous !== null) {
    const { teamId, credential } = previous.actor;
    await service.database.transaction((tx) => endSession(tx, teamId, credential.id));
  }
  sessions.setCookie(context, token);
}
