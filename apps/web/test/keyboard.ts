import type { Page } from "playwright-core";

/** The element that has the focus. */
export type Stop = {
  /** Its name as it is read out, roughly; empty for the page itself. */
  readonly name: string;
  readonly html: string;
  /** The reasons why a person without a pointer would not see where they are; none on a good stop. */
  readonly problems: readonly string[];
  /** Whether the focus was here before on this page, or is on the page itself. */
  readonly isKnown: boolean;
};

/** Returns where the focus is. */
export const stopOf = (page: Page): Promise<Stop> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body)
      return { name: "", html: "", problems: [], isKnown: true };
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    const name = element.ariaLabel ?? labels[0]?.textContent ?? element.textContent;
    const hasOutline = (each: Element): boolean => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(each);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2 && !/,\s*0\)$/.test(outlineColor);
    };
    // A field may mark the box around it, and a hidden checkbox its label.
    const marked = [element, element.parentElement, element.closest("label")];
    // The browser itself outlines the button within a date that opens its calendar.
    const isButtonWithin = element.matches("[type=date]:not(:focus-visible)");
    const isMarked = isButtonWithin || marked.some((each) => each !== null && hasOutline(each));
    const box = element.getClientRects()[0];
    const [x, y] = box === undefined ? [-1, -1] : [box.x + box.width / 2, box.y + Math.min(box.height / 2, 20)];
    const hit = document.elementFromPoint(x, y);
    const isOnTop = hit !== null && (element.contains(hit) || hit.contains(element));
    // A date has several stops within one field: day, month and year.
    const isKnown = element.hasAttribute("data-walked") && !element.matches("[type=date]");
    element.setAttribute("data-walked", "");
    return {
      name: name.trim(),
      html: element.outerHTML.slice(0, 200),
      problems: [
        ...(isMarked ? [] : ["has no outline"]),
        ...(isOnTop ? [] : [`is behind ${hit?.outerHTML.slice(0, 80) ?? "the edge of the window"}`]),
      ],
      isKnown,
    };
  });

/** Presses Tab until what has the focus has this name, as a person without a pointer does; each stop on the way is visible. */
export async function tabTo(page: Page, name: RegExp, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press(key);
    const stop = await stopOf(page);
    if (stop.problems.length > 0) throw new Error(`The focus ${stop.problems.join(" and ")}: ${stop.html}`);
    if (name.test(stop.name)) return;
    passed.push(stop.name);
  }
  throw new Error(`${key} does not lead to ${name}, but to ${passed.join(" | ")}`);
}

/** The problems of a walk with Tab through a page: stops that are not visible, and controls that Tab does not reach. */
export async function walkByTab(page: Page): Promise<string[]> {
  const problems: string[] = [];
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
  });
  const most = 400;
  for (let presses = 0; presses <= most; presses += 1) {
    await page.keyboard.press("Tab");
    const stop = await stopOf(page);
    // After the last stop the browser begins again, with the page itself or with its first stop.
    if (stop.isKnown) break;
    problems.push(...stop.problems.map((problem) => `The focus ${problem}: ${stop.html}`));
    if (presses === most) problems.push(`Tab does not come to an end: ${stop.html}`);
  }
  return [...problems, ...(await unreached(page))];
}

/** Returns the controls of a page that Tab has not reached, except those within a widget or a text that arrows move through. */
const unreached = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const widgets =
      "[role=tree], [role=treegrid], [role=menu], [role=listbox], [role=radiogroup], [role=tablist], [role=toolbar], [role=textbox]";
    const controls = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary")];
    const missed = controls.filter(
      (each) =>
        each.checkVisibility({ visibilityProperty: true }) &&
        !each.matches(":disabled, [data-walked], [inert] *, [aria-hidden=true] *, [type=hidden]") &&
        each.closest(widgets) === null &&
        !(each instanceof HTMLInputElement && each.type === "radio" && each.name !== ""),
    );
    return missed.map((each) => `Tab does not reach ${each.outerHTML.slice(0, 200)}`);
  });
