import { boot } from "./boot.ts";
import { isMissingModule, missingModuleError } from "./new-release.ts";

/** Says above the page of the server why the app did not start, and offers to load the page anew. Meanwhile it can be read. */
export function sayNotStarted(error: unknown): void {
  const { newRelease, failedReason, reload } = boot().notStarted;
  const notice = document.createElement("div");
  notice.className = "notice";
  notice.role = "alert";
  const words = document.createElement("span");
  words.textContent = isMissingModule(missingModuleError(error)) ? newRelease : failedReason;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button primary";
  button.textContent = reload;
  button.addEventListener("click", () => location.reload());
  notice.append(words, button);
  document.querySelector("main .column")?.prepend(notice);
  // The navigation is opened by the app; without it, it stands below the content where the window is narrow.
  document.querySelector(".shell")?.classList.add("without-app");
}
