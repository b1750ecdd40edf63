/** The parts of the page through which F6 goes, in their order. */
const regions = ".bar, .sidebar, .main, .aside, [data-region]";
const reachable = "a[href], button:not(:disabled), input, select, textarea, [tabindex='0']";

/** Moves the focus to the next region of the page, or to the one before; around the ends. */
export function moveToRegion(step: 1 | -1): void {
  const shown = [...document.querySelectorAll<HTMLElement>(regions)].filter((region) => placeIn(region) !== undefined);
  const current = shown.findIndex((region) => region.contains(document.activeElement));
  const next = current < 0 ? (step === 1 ? 0 : shown.length - 1) : (current + step + shown.length) % shown.length;
  const region = shown[next];
  if (region !== undefined) placeIn(region)?.focus();
}

/** Returns where the focus goes in a region: the heading of the page, or what can be pressed first; undefined if it is not shown. */
function placeIn(region: HTMLElement): HTMLElement | undefined {
  if (!region.checkVisibility()) return undefined;
  const heading = region.matches(".main") ? region.querySelector<HTMLElement>("h1[tabindex]") : null;
  if (heading !== null) return heading;
  const places = [...region.querySelectorAll<HTMLElement>(reachable)];
  return places.find((place) => place.tabIndex >= 0 && place.checkVisibility());
}
