/**
 * Keeps `--keyboard` the height that a keyboard on the screen takes from the window, so that the toolbar of a touch screen stays
 * above it. Returns a function that ends it.
 */
export function followKeyboard(): () => void {
  const { visualViewport: visible } = window;
  if (visible === null) return () => undefined;
  const { style } = document.documentElement;
  const follow = (): void => {
    // What is hidden by zooming in is not taken by a keyboard.
    const taken = visible.scale > 1.01 ? 0 : innerHeight - visible.height - visible.offsetTop;
    style.setProperty("--keyboard", `${Math.max(0, Math.round(taken))}px`);
  };
  follow();
  visible.addEventListener("resize", follow);
  visible.addEventListener("scroll", follow);
  return () => {
    visible.removeEventListener("resize", follow);
    visible.removeEventListener("scroll", follow);
    style.removeProperty("--keyboard");
  };
}
