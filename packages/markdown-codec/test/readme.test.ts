import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import * as codec from "../src/index.ts";
import { differences as commonmark } from "./commonmark-differences.ts";
import { differences as gfm } from "./gfm-differences.ts";
import { readme, readmeExamples } from "./readme-examples.ts";

const root = join(import.meta.dirname, "..");

describe("the README is true", () => {
  const outputs = [
    ["# Plan {#plan}\n\n- [ ] ==ship== H~2~O 🎉\n", '<h1 id="plan">Plan</h1>'],
    ["{ textAlign: 'center' }\ntrue\n"],
    ["# Plan\n\n- [ ] ship **it**\n"],
    [
      '<p><span class="spoiler">Done</span> <span class="color-red">on</span> <time datetime="2026-11-23">2026-11-23</time>, not {{soon}}</p>',
      "%%Done%% ??{red}on?? {{2026-11-23}}, not \\{{soon}}",
    ],
    ["table\ntrue\n"],
  ];
  test("it has an example for each output below", () => {
    expect(readmeExamples()).toHaveLength(outputs.length);
  });

  test.for(outputs.map((parts, index) => ({ parts, index })))(
    "its example $index runs and prints what it says",
    {
      timeout: 60_000,
    },
    ({ parts, index }) => {
      const code = (readmeExamples()[index] ?? "").replaceAll(/"markdown-codec(\/[\w-]+)?"/g, (_, path = "/index") =>
        JSON.stringify(pathToFileURL(join(root, `src${path}.ts`)).href),
      );
      const options = { encoding: "utf8", cwd: root } as const;
      const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", code], options);
      for (const part of parts) expect(printed).toContain(part);
    },
  );

  test("it names every function of the package, and no other", () => {
    const section = readme.slice(
      readme.indexOf("## The functions"),
      readme.indexOf("Everything that an edit does not name"),
    );
    const named = [...section.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name),
    );
    const functions = Object.keys(codec).filter((name) => name !== "CodecError");
    expect([...new Set(named)].sort()).toEqual(functions.sort());
  });

  test.for([
    ["CommonMark", 652, commonmark],
    ["GFM", 677, gfm],
  ] as const)("its count of the examples of %s is that of the list", ([, examples, differences]) => {
    const listed = Object.values(differences).reduce((sum, difference) => sum + difference.examples.length, 0);
    expect(readme).toContain(`The HTML of ${examples - listed} is the specification's`);
    expect(readme).toContain(`the other ${listed} are listed`);
  });
});
