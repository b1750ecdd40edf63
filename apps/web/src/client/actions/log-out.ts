import { boot } from "../app/boot.ts";
import { openDialog } from "../app/dialogs.ts";
import { countDrafts } from "../writing/draft-store.ts";

/** Goes to the page that logs out; asks first if that would leave text behind that only this device has. */
export async function logOut(): Promise<void> {
  // Without storage on the device there are no drafts.
  const count = await countDrafts(boot().app.user.id).catch(() => 0);
  if (count > 0) openDialog({ name: "logOut", drafts: count });
  else goToLogOut();
}

export const goToLogOut = (): void => location.assign("/logout");
