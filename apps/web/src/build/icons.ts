import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type IconName, iconNames } from "../client/icons/names.ts";

const lucide = join(createRequire(import.meta.url).resolve("lucide-static/package.json"), "../icons");

/** Returns one SVG file with a symbol for each icon of the app, which pages use by `<use href="…#name">`. */
export function iconSprite(): string {
  const symbols = Object.entries(iconNames).map(([name, file]) => symbolOf(name, file));
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
}

function symbolOf(name: string, file: string): string {
  const source = readFileSync(join(lucide, `${file}.svg`), "utf8");
  const shapes = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(source)?.[1];
  if (shapes === undefined) throw new Error(`The icon ${file} has no shapes`);
  return `<symbol id="${name satisfies string as IconName}" viewBox="0 0 24 24">${shapes.replaceAll(/\s*\n\s*/g, "")}</symbol>`;
}
