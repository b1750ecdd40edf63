import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const lucide = join(createRequire(import.meta.url).resolve("lucide-static/package.json"), "../icons");

/** Returns an icon of Lucide as the data of one path: a page has an element for each icon instead of one for each of its parts. */
export function shapeOf(file: string): string {
  const source = readFileSync(join(lucide, `${file}.svg`), "utf8");
  const parts = [...source.matchAll(/<(path|circle|rect|line)\s([^>]*)\/>/g)];
  if (parts.length === 0) throw new Error(`The icon ${file} has no shapes`);
  return parts.map(([, tag = "", text = ""]) => pathOf(tag, attributesOf(text))).join("");
}

type Attributes = ReadonlyMap<string, string>;

const attributesOf = (text: string): Attributes =>
  new Map([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]));

function pathOf(tag: string, attributes: Attributes): string {
  const number = (name: string): number => Number(attributes.get(name) ?? 0);
  if (tag === "path") {
    const data = attributes.get("d") ?? "";
    // A relative move would count from the end of the part before.
    return data.startsWith("m") ? `M0 0${data}` : data;
  }
  if (tag === "line") return `M${number("x1")} ${number("y1")}L${number("x2")} ${number("y2")}`;
  if (tag === "circle") {
    const r = number("r");
    return `M${number("cx") - r} ${number("cy")}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  }
  const r = number("rx");
  const across = number("width") - 2 * r;
  const down = number("height") - 2 * r;
  const corner = (x: number, y: number): string => `a${r} ${r} 0 0 1 ${x} ${y}`;
  return `M${number("x") + r} ${number("y")}h${across}${corner(r, r)}v${down}${corner(-r, r)}h${-across}${corner(-r, -r)}v${-down}${corner(r, -r)}z`;
}
