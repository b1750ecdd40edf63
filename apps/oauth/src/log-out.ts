import { endSession } from "@kb/auth";
import type { Service } from "@kb/core";
import type { Edge, Sessions } from "@kb/http";
import type { Hono } from "hono";
import { noteDeparture } from "./audit.ts";
import { readForm } from "./form.ts";
import { loggedOutBody, logOutBody } from "./pages/log-out.ts";
import { answerPage } from "./pages/page.ts";

/** `/logout`: a page with a button, since a link would log people out whom another page sends here. */
export function serveLogOut(app: Hono<Edge>, service: Service, sessions: Sessions): void {
  app.get("/logout", async (context) => {
    context.set("route", "/logout");
    const loggedIn = await sessions.find(context);
    if (loggedIn === null) return answerPage(context, { title: "You are logged out", body: loggedOutBody() });
    const { userName, email } = loggedIn.actor;
    const body = logOutBody({ csrf: loggedIn.csrfToken, userName, email });
    return answerPage(context, { title: "Log out", body });
  });
  app.post("/logout", async (context) => {
    context.set("route", "/logout");
    const { csrf } = await readForm(context, ["csrf"]);
    const loggedIn = await sessions.find(context);
    if (loggedIn !== null) {
      const { actor } = loggedIn;
      sessions.requireOwnPage(context, loggedIn, csrf);
      context.set("actor", actor);
      await service.database.transaction(async (tx) => {
        if (!(await endSession(tx, actor.teamId, actor.credential.id))) return;
        await noteDeparture(tx, context, service.clock.now(), { account: actor, session: actor.credential });
      });
    }
    // A form of another site comes without the cookie; an answer that took it away would log its reader out.
    if (sessions.hasCookie(context)) sessions.take(context);
    context.header("Cache-Control", "no-store");
    return context.redirect("/logout", 303);
  });
}
