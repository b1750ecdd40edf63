import { all, textOf, unwrap, wrapContent } from "./elements.ts";

/** The declarations of one element, in lower case. */
type Style = ReadonlyMap<string, string>;

/** Returns the declarations of an element, whose `style` was renamed because the policy of the page does not allow it. */
export function styleOf(element: HTMLElement): Style {
  const declarations = (element.dataset.style ?? "").toLowerCase().split(";");
  return new Map(
    declarations.map((declaration) => {
      const [name = "", ...value] = declaration.split(":");
      return [name.trim(), value.join(":").trim()];
    }),
  );
}

const decoration = (style: Style): string =>
  `${style.get("text-decoration") ?? ""} ${style.get("text-decoration-line") ?? ""}`;
const isColored = (color = ""): boolean =>
  !/^(?:|transparent|inherit|initial|none|white|#fff(?:fff)?|#ffffff)$/.test(color);
const isOfGoogleDocs = (element: Element): boolean => element.closest("[id^=docs-internal-guid]") !== null;

/** The element that says what a style looks like. */
const meanings: readonly (readonly [tag: string, isMeant: (style: Style, element: HTMLElement) => boolean])[] = [
  ["strong", (style) => /^(?:bold|bolder|[6-9]\d\d)$/.test(style.get("font-weight") ?? "")],
  ["em", (style) => /^(?:italic|oblique)/.test(style.get("font-style") ?? "")],
  ["del", (style) => decoration(style).includes("line-through")],
  ["u", (style, element) => decoration(style).includes("underline") && element.closest("a") === null],
  ["sup", (style) => style.get("vertical-align") === "super"],
  ["sub", (style) => style.get("vertical-align") === "sub"],
  [
    "mark",
    (style, element) =>
      isColored(style.get("mso-highlight")) || (isOfGoogleDocs(element) && isColored(style.get("background-color"))),
  ],
];

/** Elements whose style says that they are not what they are, such as `<b>` around everything that Google Docs copies. */
const denials: readonly (readonly [selector: string, isDenied: (style: Style) => boolean])[] = [
  [
    "b[data-style], strong[data-style]",
    (style) => /^(?:normal|lighter|[1-5]\d\d)$/.test(style.get("font-weight") ?? ""),
  ],
  ["i[data-style], em[data-style]", (style) => style.get("font-style") === "normal"],
  ["u[data-style], s[data-style], del[data-style]", (style) => /^\s*none/.test(decoration(style))],
];

/** Makes elements of what styles say, and removes those that only look like a mark where they are. */
export function readStyles(root: Element): void {
  const styled = "span, font, b, strong, i, em, u, s, a, p, td, th".split(", ").map((tag) => `${tag}[data-style]`);
  for (const element of all(root, styled.join(", "))) {
    const style = styleOf(element);
    for (const [tag, isMeant] of meanings) if (isMeant(style, element)) wrapContent(element, tag);
  }
  for (const [selector, isDenied] of denials) {
    for (const element of all(root, selector)) if (isDenied(styleOf(element))) unwrap(element);
  }
  // A link is underlined anyway.
  for (const element of all(root, "a u")) unwrap(element);
  for (const element of all(root, "u")) {
    const links = all(element, "a");
    if (links.length > 0 && links.map(textOf).join("") === textOf(element)) unwrap(element);
  }
}

/** Space at the edge of a mark is beside it: Markdown has none inside. */
export function moveSpaces(root: Element): void {
  for (const mark of all(root, "b, strong, i, em, s, del, strike, u, ins, mark, sup, sub").reverse()) {
    if (textOf(mark) === "") {
      if (mark.querySelector("img, br") !== null || mark.textContent !== "") unwrap(mark);
      continue;
    }
    const { firstChild: first, lastChild: last } = mark;
    if (first !== null && first.nodeType === Node.TEXT_NODE) mark.before(takeSpace(first, /^\s+/));
    if (last !== null && last.nodeType === Node.TEXT_NODE) mark.after(takeSpace(last, /\s+$/));
  }
}

function takeSpace(text: Node, pattern: RegExp): string {
  const value = text.nodeValue ?? "";
  text.nodeValue = value.replace(pattern, "");
  return pattern.exec(value)?.[0] ?? "";
}

/** A heading is bold anyway: text that is bold as a whole says nothing else. */
export function removeBoldOfHeadings(root: Element): void {
  for (const heading of all(root, "h1, h2, h3, h4, h5, h6, th")) {
    const bold = all(heading, "b, strong").filter((element) => element.parentElement?.closest("b, strong") === null);
    if (
      bold
        .map(({ textContent }) => textContent)
        .join("")
        .trim() !== textOf(heading)
    )
      continue;
    for (const element of all(heading, "b, strong")) unwrap(element);
  }
}
