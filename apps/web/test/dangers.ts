import type { Page } from "playwright-core";

/** The dangers in a page: functions of the content that ran, and elements that could run something. */
export type Dangers = { readonly ran: string[]; readonly found: string[] };

/** Makes every later document of the page remember when `alert`, `confirm` or `prompt` are called. */
export async function setTripwires(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tripped: string[] = [];
    const wire = (name: string) => () => void tripped.push(name);
    Object.assign(globalThis, { tripped, alert: wire("alert"), confirm: wire("confirm"), prompt: wire("prompt") });
  });
}

/** Sends the events that handlers wait for to every element of the texts, and returns what ran and what could. */
export function dangersIn(page: Page): Promise<Dangers> {
  return page.evaluate(async () => {
    // The article belongs to content alone; around it the app has forms, links and icons of its own.
    const own =
      "script, iframe, object, embed, form, base, link, math, template, meta, style, video, audio, marquee, details";
    const events = ["mouseover", "focus", "pointerenter", "toggle", "load", "error", "begin"];
    const all = [...document.querySelectorAll("body *")];
    for (const element of all.filter((each) => each.closest("main, nav, [role=dialog], dialog") !== null)) {
      for (const event of events) element.dispatchEvent(new Event(event, { bubbles: false, cancelable: true }));
    }
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const isDangerous = (element: Element): boolean => {
      const address = element.getAttribute("href") ?? element.getAttribute("src") ?? element.getAttribute("action");
      const scheme =
        address === null || !URL.canParse(address, document.baseURI) ? "" : new URL(address, document.baseURI).protocol;
      const isForeign =
        element.closest("article") !== null && element.matches(own) && element.closest("[role=status]") === null;
      const hasHandler = element.getAttributeNames().some((name) => name.startsWith("on"));
      return isForeign || hasHandler || !["", "http:", "https:", "mailto:", "tel:"].includes(scheme);
    };
    const ran: unknown = Reflect.get(globalThis, "tripped");
    return {
      ran: Array.isArray(ran) ? ran.map(String) : ["the wires are not set"],
      found: all.filter(isDangerous).map((element) => element.outerHTML.slice(0, 200)),
    };
  });
}
