import { Failure } from "../api/failure.ts";
import { boot } from "./boot.ts";

const storageKey = "kb-reloaded-for";

let leaving = Promise.resolve();

/**
 * Loads the page anew once when a module of this build is missing, because a newer release has replaced it. A second
 * failure in the same build is shown instead of repeated.
 */
export function reloadForNewRelease(): void {
  addEventListener("vite:preloadError", () => {
    // Without a network the page would be gone too.
    if (!navigator.onLine) return;
    const { build } = boot();
    if (sessionStorage.getItem(storageKey) === build) return;
    sessionStorage.setItem(storageKey, build);
    // One who may stay, because something is not saved, is told of the module at once.
    if (mayLeave()) leave();
    else location.reload();
  });
}

/** Waits while the page is being loaded anew for a newer release. Until it has left, nothing says that a module is missing. */
export const untilLeft = (): Promise<void> => leaving;

/** Returns a module that is being loaded. Where it is missing and the page is loaded anew for that, it fails only after the page should have left. */
export async function whenLoaded<Module>(loading: Promise<Module>): Promise<Module> {
  try {
    return await loading;
  } catch (error) {
    await untilLeft();
    throw error;
  }
}

const checkEveryMs = 5 * 60_000;
/** Longer than a page takes to leave; a reader who stays, because something is not saved, goes on in the old release. */
const leaveMs = 3_000;

let isOutdated = false;
let checkedAt = performance.now();

/** Asks whether the service has another release than the page. The next navigation then loads its page anew. */
export async function checkRelease(): Promise<void> {
  checkedAt = performance.now();
  // No answer tells nothing: it is asked again later.
  const answer = await fetch("/assets/build.json").catch(() => undefined);
  if (answer?.ok !== true) return;
  const { build }: { build?: unknown } = await answer.json().catch(() => ({}));
  isOutdated = typeof build === "string" && build !== boot().build;
}

/** Loads the page of a navigation from the service if that has another release; otherwise returns at once. */
export async function loadNewerRelease(): Promise<void> {
  if (performance.now() - checkedAt > checkEveryMs) void checkRelease();
  if (!isOutdated || !mayLeave()) return;
  isOutdated = false;
  // The router writes the new address in the next microtask.
  await new Promise((resolve) => setTimeout(resolve));
  leave();
  await leaving;
}

function leave(): void {
  leaving = new Promise((resolve) => setTimeout(resolve, leaveMs));
  location.reload();
}

/** Returns false if the browser would ask before it leaves the page, because something is not saved: a later navigation reloads. */
const mayLeave = (): boolean => dispatchEvent(new Event("beforeunload", { cancelable: true }));

/** Returns whether an error says that a module of the app could not be loaded; browsers word it differently. */
export function isMissingModule(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|module script|preload CSS|module of the app/i.test(error.message)
  );
}

/** Returns the error that a screen without its module shows: a lost network, or a module that is gone. */
export function missingModuleError(error: unknown): unknown {
  if (!isMissingModule(error)) return error;
  if (!navigator.onLine) return new Failure(0, { error: "The service could not be reached.", code: "offline" });
  return new Error("A module of the app could not be loaded.", { cause: error });
}
