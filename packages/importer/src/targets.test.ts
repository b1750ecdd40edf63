import { expect, it } from "vitest";
import { Targets } from "./targets.ts";
import type { Page } from "./tree.ts";

const page = (path: string): Page => ({ name: path, path, file: null, folder: null, children: [] });

it.each<[address: string, path: string | undefined]>([
  ["/docs/", "docs/intro.md"],
  ["/handbook/start", "docs/begin.md"],
  ["/pricing", undefined],
  ["/pricing/", undefined],
])("the page that a site shows first is the target of no other address: %s", (address, path) => {
  const routes: Readonly<Record<string, readonly string[]>> = { "docs/intro.md": ["/"], "docs/begin.md": ["/start"] };
  const pages = Object.keys(routes).map(page);
  const targets = new Targets(pages, [], (one) => ({ aliases: [], routes: routes[one.path] ?? [] }));
  expect(targets.find(address, "docs/begin.md")?.path).toBe(path);
});
