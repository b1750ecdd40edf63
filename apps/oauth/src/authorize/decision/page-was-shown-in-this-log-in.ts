import { ServiceError } from "@kb/core";
import type { LoggedIn } from "@kb/http";
import type { Tickets } from "../ticket.ts";

/** What was read by one person is not allowed by another, nor by chance much later. Gives the request that was shown. */
export function pageWasShownInThisLogIn(tickets: Tickets, loggedIn: LoggedIn, ticket: string): string {
  const query = tickets.open(loggedIn, ticket);
  if (query !== null) return query;
  const message = "This page was shown to somebody else, or was open for too long.";
  throw new ServiceError("forbidden", `${message} Nothing was allowed. Start once more from the app.`);
}
