import { call } from "../api/call.ts";
import { Failure, failureOf } from "../api/failure.ts";
import { boot } from "../app/boot.ts";
import { openDialog } from "../app/dialogs.ts";
import { announceLogOut, announceLogOutPage, forgetUnsent, logOutAddress } from "../app/log-out-of-tabs.ts";
import { forgetSending } from "../transfer/sent-files.ts";
import { countKept, dropKept } from "../writing/kept-on-device.ts";

/** Goes to the page that logs out; asks first if that would leave text behind that only this device has. */
export async function logOut(): Promise<void> {
  const { user } = boot().app;
  const count = await countKept(user.id).catch(() => undefined);
  if (count !== undefined && count > 0) {
    openDialog({ name: "logOut", drafts: count });
    return;
  }
  // Documents may be there beside which no text is. Text that could not be counted stays with its owner.
  if (count === 0) await dropKept(user.id).catch(() => undefined);
  // Files to import would be lost with the page in any case: nothing asks whether to stay for them.
  forgetSending();
  announceLogOutPage(user.id);
  location.assign(logOutAddress);
}

/** Why a log-out did not end: the session goes on, or it is not known whether it does. */
export type LogOutProblem = { readonly kind: "loggedIn" | "unknown"; readonly error: unknown };

/**
 * Logs out, deletes what is not sent yet, in all tabs, and leaves the page. The text is deleted only after the service has
 * said that the session is over: a person who is still logged in still has it. Returns the problem if it is not.
 */
export async function logOutAndDropDrafts(): Promise<LogOutProblem | undefined> {
  const { csrfToken, user } = boot().app;
  try {
    await endSession(csrfToken);
  } catch (error) {
    // The session may have ended although its answer was lost: the service knows.
    const isOver = await isSessionOver();
    if (isOver !== true) return { kind: isOver === undefined ? "unknown" : "loggedIn", error };
  }
  // The drafts and files of open pages first: they are not written again, and leaving the page asks nothing.
  await forgetUnsent();
  announceLogOut(user.id);
  // The session is over either way. Drafts that could not be deleted stay with their owner, whom the next log-in shows them.
  await dropKept(user.id).catch(() => undefined);
  location.assign(logOutAddress);
  return undefined;
}

/** @throws {Failure} if the service refused it; other errors if it could not be reached */
async function endSession(csrfToken: string): Promise<void> {
  const answer = await fetch(logOutAddress, { method: "POST", body: new URLSearchParams({ csrf: csrfToken }) });
  // The service leads from the form to the page again; any other answer is not its word that the session is over.
  if (!answer.ok || !answer.redirected) throw await failureOf(answer);
}

/** Returns whether this browser has no session any more; undefined if the service cannot be asked. */
async function isSessionOver(): Promise<boolean | undefined> {
  try {
    await call("app.boot", {});
    return false;
  } catch (error) {
    return error instanceof Failure && error.status === 401 ? true : undefined;
  }
}
