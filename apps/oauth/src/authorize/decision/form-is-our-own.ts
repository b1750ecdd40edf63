import { ServiceError } from "@kb/core";
import type { EdgeContext, LoggedIn, Sessions } from "@kb/http";

/** Only our own page may decide: it has the origin of the service and the token of the log-in. @throws {ServiceError} `forbidden` */
export function formIsOurOwn(sessions: Sessions, context: EdgeContext, loggedIn: LoggedIn, csrf: string): void {
  try {
    sessions.requireOwnPage(context, loggedIn, csrf);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "forbidden") throw error;
    const message = "This was not sent by the page that asks you, or it was open while you logged in anew.";
    throw new ServiceError("forbidden", `${message} Nothing was allowed. Start once more from the app.`);
  }
}
