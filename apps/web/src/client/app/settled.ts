/** The quiet time after which nothing more follows: what an answer causes is asked for within it. */
const quietMs = 100;

let running = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Marks the page as busy until the returned function is called: `data-settled` of the root element is "true" once no call is
 * under way, no refresh is planned, and nothing has begun for a tenth of a second.
 */
export function beginWork(): () => void {
  running += 1;
  clearTimeout(timer);
  document.documentElement.dataset.settled = "false";
  return () => {
    running -= 1;
    if (running === 0) timer = setTimeout(markSettled, quietMs);
  };
}

/** Marks the page as settled, once it has started. */
export function markSettled(): void {
  if (running === 0) document.documentElement.dataset.settled = "true";
}
