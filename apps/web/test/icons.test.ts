import { expect, it } from "vitest";
import { iconNames } from "../src/client/icons/names.ts";
import { iconShapes } from "../src/client/icons/shapes.ts";
import { icon } from "../src/server/pages/icon.ts";
import { shapeOf } from "./lucide-shape.ts";

it("each icon is the one of Lucide with its name", () => {
  const shapes = Object.entries(iconNames).map(([name, file]) => [name, shapeOf(file)]);
  expect(iconShapes).toEqual(Object.fromEntries(shapes));
});

it("an icon on a page is two elements, and asks for no file", () => {
  const manifest = { script: "", preloads: [], lazy: {}, styles: [], assets: [], inputs: "" };
  const text = String(icon(manifest, "home"));
  expect([...text.matchAll(/<(\w+)/g)].map(([, tag]) => tag)).toEqual(["svg", "path"]);
  expect(text).not.toMatch(/href|url\(/);
});
