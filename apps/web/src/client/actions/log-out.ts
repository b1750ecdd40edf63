import { failureOf } from "../api/failure.ts";
import { boot } from "../app/boot.ts";
import { openDialog } from "../app/dialogs.ts";
import { countDrafts, dropDrafts } from "../writing/draft-store.ts";
import { openSessions } from "../writing/open-sessions.ts";

/** The page that logs out, and that says that nobody is logged in. */
const address = "/logout";

/** Goes to the page that logs out; asks first if that would leave text behind that only this device has. */
export async function logOut(): Promise<void> {
  // Without storage on the device there are no drafts.
  const count = await countDrafts(boot().app.user.id).catch(() => 0);
  if (count > 0) openDialog({ name: "logOut", drafts: count });
  else location.assign(address);
}

/**
 * Logs out, then deletes what is not sent yet. The text is deleted only after the service has said that the session is over:
 * a person who is still logged in still has it.
 * @throws {Failure} if the service refused it; other errors if it could not be reached
 */
export async function logOutAndDropDrafts(): Promise<void> {
  const { csrfToken, user } = boot().app;
  const answer = await fetch(address, { method: "POST", body: new URLSearchParams({ csrf: csrfToken }) });
  // The service leads from the form to the page again; any other answer is not its word that the session is over.
  if (!answer.ok || !answer.redirected) throw await failureOf(answer);
  // The drafts of the open page first: they are not written again, and leaving the page asks nothing.
  await Promise.allSettled([...openSessions].map((session) => session.forget()));
  // The session is over either way. Drafts that could not be deleted stay with their owner, whom the next log-in shows them.
  await dropDrafts(user.id).catch(() => undefined);
  location.assign(address);
}
