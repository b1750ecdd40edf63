import { isSafeUrl, type MarkJSON, type NodeJSON } from "markdown-codec";
import { pictureOf } from "./document.ts";
import { attributeOf, HtmlLimitError, type HtmlParent, isElement, parsePart, textOfNode } from "./parse.ts";

/** Elements that may stand around pictures. */
const around: ReadonlySet<string> = new Set("p div center span picture figure a".split(" "));
const ignored: ReadonlySet<string> = new Set(["source", "br"]);

const maxLength = 20_000;

/** Returns the pictures of HTML that shows nothing else, as pages at the beginning have them; null for other HTML. */
export function picturesOf(source: string): NodeJSON[] | null {
  if (source.length > maxLength || !/<img\s/i.test(source)) return null;
  const pictures: NodeJSON[] = [];
  try {
    if (!collect(parsePart(source), [], pictures)) return null;
  } catch (error) {
    if (error instanceof HtmlLimitError) return null;
    throw error;
  }
  return pictures.flatMap((picture, index) => (index === 0 ? [picture] : [{ type: "text", text: " " }, picture]));
}

/** Collects pictures; returns whether there is nothing else. */
function collect(parent: HtmlParent, marks: MarkJSON[], pictures: NodeJSON[]): boolean {
  return parent.childNodes.every((child) => {
    const text = textOfNode(child);
    if (text !== undefined) return text.trim() === "";
    if (!isElement(child)) return false;
    if (ignored.has(child.tagName)) return true;
    if (child.tagName === "img") {
      const picture = pictureOf(child, marks);
      if (picture !== null) pictures.push(picture);
      return picture !== null;
    }
    if (!around.has(child.tagName)) return false;
    const href = child.tagName === "a" ? attributeOf(child, "href") : undefined;
    const isLink = href !== undefined && href !== "" && isSafeUrl(href);
    return collect(child, isLink ? [{ type: "link", attrs: { href, title: null } }] : marks, pictures);
  });
}
