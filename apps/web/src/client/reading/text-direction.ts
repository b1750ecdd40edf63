/** The direction in which a text is read. */
export type Direction = "ltr" | "rtl";

const scripts = ["Arabic", "Hebrew", "Syriac", "Thaana", "Nko", "Adlam", "Samaritan", "Mandaic", "Hanifi_Rohingya"];
const isRightToLeft = new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join("")}]`, "u");

/** Returns the direction of the first letter of a text; undefined without one. */
export function directionOf(text: string): Direction | undefined {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return undefined;
  return isRightToLeft.test(letter) ? "rtl" : "ltr";
}

/** The kind of a callout (no text of its own), a tag, an escaped character, or a letter. */
const parts = /<bdi>[^<]*<\/bdi>|<[^>]*>|&[^;\s]*;|\p{L}/gu;

/**
 * Returns the direction of the first letter that HTML of the codec shows; undefined without one. An article has it as its `dir`:
 * with `auto`, a browser passes over all of its blocks, which have a direction of their own, and does so again for each that is
 * added, which takes seconds in a long document.
 */
export function directionOfHtml(html: string): Direction | undefined {
  for (const [part] of html.matchAll(parts)) {
    if (!/^[<&]/.test(part)) return directionOf(part);
  }
  return undefined;
}

/** Gives an element the direction of its text; without one, it has that of what is around it. */
export function setDirection(element: HTMLElement, direction: Direction | undefined): void {
  if (direction === undefined) element.removeAttribute("dir");
  else element.dir = direction;
}
