import { endSession } from "@kb/auth";
import type { Service } from "@kb/core";
import { type Edge, preferredLanguage, type Sessions } from "@kb/http";
import type { Hono } from "hono";
import { recordLogOut } from "./log-in-audit.ts";
import { loggedOutBody, logOutBody } from "./pages/log-out.ts";
import { answerPage } from "./pages/page.ts";
import { pageWordsOf } from "./pages/words/page-words-of.ts";
import { readForm } from "./read-form.ts";
import { redirectTo } from "./redirect.ts";

/** Serves `/logout`: a page with a button, since another site could log users out through a link. */
export function serveLogOut(app: Hono<Edge>, service: Service, sessions: Sessions): void {
  app.get("/logout", async (context) => {
    context.set("route", "/logout");
    const loggedIn = await sessions.find(context);
    const language = preferredLanguage(context);
    const { title, doneTitle } = pageWordsOf(language).logOut;
    if (loggedIn === null) return answerPage(context, { title: doneTitle, body: loggedOutBody(language), language });
    const { userName, email } = loggedIn.actor;
    const body = logOutBody({ language, csrf: loggedIn.csrfToken, userName, email });
    return answerPage(context, { title, body, language });
  });

  app.post("/logout", async (context) => {
    context.set("route", "/logout");
    const { csrf } = await readForm(context, ["csrf"]);
    const loggedIn = await sessions.find(context);
    if (loggedIn !== null) {
      const { actor } = loggedIn;
      sessions.requireOwnPage(context, loggedIn, csrf);
      context.set("caller", actor);
      await service.database.transaction(async (tx) => {
        if (!(await endSession(tx, actor.teamId, actor.credential.id))) return;
        await recordLogOut(tx, context, service.clock.now(), { account: actor, session: actor.credential });
      });
    }
    // A form of another site arrives without the cookie; deleting the cookie in that answer would log the user out.
    if (sessions.hasCookie(context)) sessions.clearCookie(context);
    return redirectTo(context, "/logout");
  });
}
