import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inputFiles } from "../src/build/inputs.ts";
import { repositoryFolder } from "../src/build/paths.ts";

const read = (path: string): string => readFileSync(join(repositoryFolder, path), "utf8");

/** Returns the names of the folders of our packages that a module runs, not those of which it only has types. */
const packagesIn = (path: string): string[] =>
  [...read(path).matchAll(/^(?:import|export) (?!type )[^;"]*"(?:@kb\/([\w-]+)|(markdown-codec))[/"]/gm)].map(
    ([, own, published]) => own ?? published ?? "",
  );

it("the app is built again after a change of each package whose modules are in it", () => {
  const files = inputFiles();
  const run = new Set(files.filter((path) => !/\.test\.ts$|\/testing[./]/.test(path)).flatMap(packagesIn));
  expect([...run].sort()).toEqual(["formulas", "live", "markdown-codec"]);
  for (const name of run) expect(files).toContain(`packages/${name}/src/index.ts`);
});
