/** Calls a function whenever this page may end without another event: it is hidden or left. Returns a function that ends it. */
export function onPageEnd(run: () => void): () => void {
  const ifHidden = (): void => {
    if (document.hidden) run();
  };
  addEventListener("pagehide", run);
  document.addEventListener("visibilitychange", ifHidden);
  return () => {
    removeEventListener("pagehide", run);
    document.removeEventListener("visibilitychange", ifHidden);
  };
}
