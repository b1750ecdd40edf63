import { call } from "../api/call.ts";
import { forgetSending, isSending } from "../transfer/sent-files.ts";
import { openSessions } from "../writing/open-sessions.ts";
import { boot } from "./boot.ts";
import { connectionStore } from "./connection.ts";

const channelName = "kb-log-out";
const beginChannelName = "kb-log-out-begun";

/** The page that logs out, and that says that nobody is logged in. */
export const logOutAddress = "/logout";

/** Tells the other tabs of this browser that a user has logged out and deleted what was not sent. */
export const announceLogOut = (userId: string): void => announce(channelName, userId);

/** Tells the other tabs of this browser that a user is asked on another page whether to log out. */
export const announceLogOutPage = (userId: string): void => announce(beginChannelName, userId);

function announce(name: string, userId: string): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage(userId);
  channel.close();
}

/**
 * Leaves this page once its user has logged out in another tab and deleted what was not sent: text that is written here is
 * forgotten too, because somebody else may use this device. A log-out that deleted nothing ends only the files that are sent from here.
 */
export function followLogOut(): void {
  new BroadcastChannel(channelName).addEventListener("message", ({ data }) => {
    if (data !== boot().app.user.id) return;
    void forgetUnsent().then(() => location.replace(logOutAddress));
  });
  new BroadcastChannel(beginChannelName).addEventListener("message", ({ data }) => {
    if (data !== boot().app.user.id) return;
    void endSendingWithSession();
  });
}

/** The time between two questions whether the session is over, and the most of them. */
const askAgainMs = 2_000;
const mostQuestions = 150;

/**
 * Ends the sending of files once the session is over. It may go on: the person can still leave the page that asks. A page that
 * nobody sees learns nothing by itself, so it asks; a session that only expires is not asked about, and ends nothing.
 */
async function endSendingWithSession(): Promise<void> {
  const end = connectionStore.subscribe(() => {
    if (connectionStore.read().kind === "loggedOut") forgetSending();
  });
  for (let asked = 0; asked < mostQuestions && isSending(); asked++) {
    await call("auth.me", {}).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, askAgainMs));
  }
  end();
}

/** Forgets what is written or sent on this page, on the device too; leaving the page then asks nothing. */
export async function forgetUnsent(): Promise<void> {
  forgetSending();
  await Promise.allSettled([...openSessions].map((session) => session.forget()));
}
