import { endSession } from "@kb/auth";
import type { Service } from "@kb/core";
import type { EdgeContext, Sessions } from "@kb/http";

/** What happens when somebody has logged in, by whichever way. */
export type Arrivals = {
  isHere(context: EdgeContext): Promise<boolean>;
  /** Gives the browser its new session and sends it on. The one that it had before ends: nobody can have fixed it. */
  arrive(context: EdgeContext, arrived: { session: { token: string } }, returnTo: string): Promise<Response>;
  goOn(context: EdgeContext, returnTo: string): Response;
};

/** Arrivals at a service; `returnTo` has been checked to be a path of ours. */
export function arrivalsAt(service: Service, sessions: Sessions): Arrivals {
  const goOn = (context: EdgeContext, returnTo: string): Response => {
    context.header("Cache-Control", "no-store");
    return context.redirect(returnTo, 303);
  };
  return {
    goOn,
    isHere: async (context) => (await sessions.find(context)) !== null,
    async arrive(context, { session }, returnTo) {
      const before = await sessions.find(context);
      if (before !== null) {
        await endSession(service.database.client, before.actor.teamId, before.actor.credential.id);
      }
      sessions.give(context, session.token);
      return goOn(context, returnTo);
    },
  };
}
