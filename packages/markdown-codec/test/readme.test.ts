import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import * as codec from "../src/index.ts";
import { differences } from "./commonmark-differences.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

describe("the README is true", () => {
  test("its first example runs and prints what it says", () => {
    const example = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
    const entry = pathToFileURL(join(root, "src/index.ts")).href;
    const code = example.replace('"markdown-codec"', JSON.stringify(entry));
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", code], { encoding: "utf8" });
    expect(printed).toContain("# Plan {#plan}\n\n- [ ] ==ship== H~2~O 🎉\n");
    expect(printed).toContain('<h1 id="plan">Plan</h1>');
  });

  test("it names every function of the package, and no other", () => {
    const section = readme.slice(readme.indexOf("## The functions"), readme.indexOf("What an edit does not name"));
    const named = [...section.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name),
    );
    const functions = Object.keys(codec).filter((name) => name !== "CodecError");
    expect([...new Set(named)].sort()).toEqual(functions.sort());
  });

  test("its count of CommonMark's examples is that of the list", () => {
    const listed = Object.values(differences).reduce((sum, { examples }) => sum + examples.length, 0);
    expect(readme).toContain(`The HTML of ${652 - listed} is the specification's`);
    expect(readme).toContain(`the other ${listed} are listed`);
  });
});
