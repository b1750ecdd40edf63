/** Moves the focus to the heading of the page: the button that had it has left, with its row or its notice. The page stays where it is. */
export const focusHeading = (): void => document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
