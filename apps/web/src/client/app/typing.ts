/** Somebody who has typed nothing for this time can be interrupted. */
const pauseMs = 1_500;

let lastAt = Number.NEGATIVE_INFINITY;
let isComposing = false;

/** Follows when somebody types on this page. */
export function watchTyping(): void {
  const note = (): void => {
    lastAt = performance.now();
  };
  document.addEventListener("input", note, { capture: true, passive: true });
  const compose = (isOn: boolean) => (): void => {
    isComposing = isOn;
    note();
  };
  document.addEventListener("compositionstart", compose(true), { capture: true, passive: true });
  document.addEventListener("compositionend", compose(false), { capture: true, passive: true });
}

/** Calls a function as soon as nobody is in the middle of a word: at once, or after a pause. Returns a function that prevents it. */
export function afterTyping(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = (): void => {
    const rest = isInMiddle() ? pauseMs : lastAt + pauseMs - performance.now();
    if (rest > 0) timer = setTimeout(check, rest);
    else run();
  };
  check();
  return () => clearTimeout(timer);
}

/** An input method that lost its field has ended without a word. */
const isInMiddle = (): boolean => isComposing && document.activeElement !== document.body;
