import { describe, expect, it } from "vitest";
import { packageFindings } from "./packages.ts";
import type { SourceFile } from "./repository.ts";

const manifest = (folder: string, content: object): SourceFile => ({
  path: `packages/${folder}/package.json`,
  text: JSON.stringify({ name: `@kb/${folder}`, ...content }),
});

/** Returns the rules that one file of a package `core` breaks. */
function rulesOf(path: string, text: string, content: object): string[] {
  return packageFindings([manifest("core", content), { path, text }]).map(({ rule }) => rule);
}

describe("declared dependencies of packages", () => {
  it("a cycle of packages is found, also by a development dependency", () => {
    const core = manifest("core", { devDependencies: { "@kb/scenes": "workspace:*" } });
    const scenes = manifest("scenes", { dependencies: { "@kb/core": "workspace:*" } });
    expect(packageFindings([core, scenes])).toEqual([
      {
        path: "packages/core/package.json",
        line: 1,
        rule: "packages depend on each other: @kb/core -> @kb/scenes -> @kb/core",
      },
    ]);
    expect(packageFindings([core, manifest("scenes", {})])).toEqual([]);
  });

  it("an import that the package's own package.json does not declare is found", () => {
    const rule = "zod is not declared in packages/core/package.json";
    expect(rulesOf("packages/core/src/a.ts", 'import { z } from "zod";', {})).toEqual([rule]);
    expect(rulesOf("packages/core/src/a.test.ts", 'import { z } from "zod/v4";', {})).toEqual([rule]);
    expect(rulesOf("packages/core/src/a.ts", 'import type { z } from "zod";', {})).toEqual([rule]);
    expect(rulesOf("packages/core/src/a.ts", 'import { z } from "zod";', { dependencies: { zod: "4" } })).toEqual([]);
  });

  it("a development dependency may not run in production", () => {
    const declared = { devDependencies: { "@types/mdast": "4", zod: "4" } };
    expect(rulesOf("packages/core/src/a.ts", 'import { z } from "zod";', declared)).toEqual([
      "zod is a development dependency in packages/core/package.json, but runs in production",
    ]);
    expect(rulesOf("packages/core/src/a.test.ts", 'import { z } from "zod";', declared)).toEqual([]);
    expect(rulesOf("packages/core/src/a.ts", 'import type { z } from "zod";', declared)).toEqual([]);
    expect(rulesOf("packages/core/src/a.ts", 'import type { Root } from "mdast";', declared)).toEqual([]);
  });

  it("a module of Node, the package itself and a relative import need no declaration", () => {
    const text = 'import "node:fs";\nimport { a } from "@kb/core/operations";\nimport "./b.ts";';
    expect(rulesOf("packages/core/src/a.ts", text, {})).toEqual([]);
  });

  it.each(["@kb/db/testing", "@kb/testing/clock", "markdown-codec/testing", "./testing/world.ts"])(
    "%s is imported by tests and test support only",
    (specifier) => {
      const declared = { dependencies: { "@kb/db": "*", "@kb/testing": "*", "markdown-codec": "*" } };
      const text = `import { x } from "${specifier}";`;
      expect(rulesOf("packages/core/src/a.ts", text, declared)).toEqual([
        `${specifier} is test support: only tests and test support import it`,
      ]);
      expect(rulesOf("packages/core/src/a.test.ts", text, declared)).toEqual([]);
      expect(rulesOf("packages/core/src/testing/b.ts", text, declared)).toEqual([]);
    },
  );
});
