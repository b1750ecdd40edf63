import { openSessions } from "../writing/open-sessions.ts";
import { boot } from "./boot.ts";

const channelName = "kb-log-out";

/** The page that logs out, and that says that nobody is logged in. */
export const logOutAddress = "/logout";

/** Tells the other tabs of this browser that a user has logged out and deleted what was not sent. */
export function announceLogOut(userId: string): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(userId);
  channel.close();
}

/**
 * Leaves this page once its user has logged out in another tab and deleted what was not sent: text that is written here is
 * forgotten too, because somebody else may use this device.
 */
export function followLogOut(): void {
  new BroadcastChannel(channelName).addEventListener("message", ({ data }) => {
    if (data !== boot().app.user.id) return;
    void forgetWritten().then(() => location.replace(logOutAddress));
  });
}

/** Forgets what is written on this page and not sent, on the device too; leaving the page then asks nothing. */
export async function forgetWritten(): Promise<void> {
  await Promise.allSettled([...openSessions].map((session) => session.forget()));
}
