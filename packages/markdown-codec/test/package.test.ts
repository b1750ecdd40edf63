import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserBundle, gzipKilobytes } from "./bundle.ts";

const root = resolve(import.meta.dirname, "..");
const bin = (name: string): string => resolve(root, "node_modules/.bin", name);
const workspaceBin = resolve(root, "../../node_modules/.bin");
const timeout = 240_000;

const manifest: { dependencies: Record<string, string> } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const dependencies = Object.keys(manifest.dependencies);

let folder = "";
let tarball = "";

/** Runs a program and gives what it printed; a failure carries both of its outputs. */
function run(program: string, args: string[], cwd: string): string {
  try {
    return execFileSync(program, args, { cwd, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(" ")} failed:\n${stdout ?? ""}\n${stderr ?? ""}`, { cause: error });
  }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "markdown-codec-"));
  rmSync(join(root, "dist"), { recursive: true, force: true });
  run(join(workspaceBin, "tsc"), ["-p", "tsconfig.build.json"], root);
  run("npx", ["--yes", "pnpm@10.34.9", "pack", "--pack-destination", folder], root);
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
}, timeout);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An empty project that has the tarball installed by npm; by hand where no registry answers, and it says so. */
function installed(name: string): string {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name, private: true, type: "module" }));
  try {
    run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], project);
  } catch (error) {
    process.stdout.write(`npm could not install (${String(error).slice(0, 200)}): unpacked by hand instead\n`);
    rmSync(join(project, "node_modules"), { recursive: true, force: true });
    mkdirSync(join(project, "node_modules"), { recursive: true });
    run("tar", ["xzf", tarball], project);
    cpSync(join(project, "package"), join(project, "node_modules/markdown-codec"), { recursive: true });
    for (const dependency of dependencies) {
      symlinkSync(join(root, "node_modules", dependency), join(project, "node_modules", dependency));
    }
  }
  return project;
}

describe("the published package", () => {
  test("publint --strict has nothing to say", { timeout }, async () => {
    const { messages, pkg } = await publint({ strict: true, pack: { tarball: toArrayBuffer(readFileSync(tarball)) } });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test("attw --profile esm-only finds no problem: it would exit with an error", { timeout }, () => {
    const findings = run(bin("attw"), [tarball, "--profile", "esm-only", "--format", "ascii"], root);
    for (const entry of ["", "/schema", "/html", "/emoji", "/testing"])
      expect(findings).toContain(`"markdown-codec${entry}"`);
  });

  test("the tarball holds the code, its types, the licence and the README, and no test", () => {
    const names = run("tar", ["tzf", tarball], root).split("\n");
    for (const name of ["dist/index.js", "dist/index.d.ts", "LICENSE", "README.md", "CHANGELOG.md", "package.json"]) {
      expect(names).toContain(`package/${name}`);
    }
    expect(names.filter((name) => /package\/(?:test|bench|scripts|node_modules)\//.test(name))).toEqual([]);
  });

  test("installed in an empty folder, plain JavaScript imports every entry and a document survives", {
    timeout,
  }, () => {
    const project = installed("plain");
    writeFileSync(
      join(project, "main.js"),
      `import { parseMarkdown, serializeMarkdown } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import { toHtml } from "markdown-codec/html";
import * as emoji from "markdown-codec/emoji";
const doc = parseMarkdown("# Hi {#x}\\n\\n==a== :tada:\\n");
schema.nodeFromJSON(doc).check();
console.log(JSON.stringify([serializeMarkdown(doc), toHtml(doc), Object.keys(emoji).length > 0]));
`,
    );
    const [markdown, html, hasEmoji] = JSON.parse(run(process.execPath, ["main.js"], project));
    expect(markdown).toBe("# Hi {#x}\n\n==a== 🎉\n");
    expect(html).toContain('<h1 id="x">Hi</h1>');
    expect(hasEmoji).toBe(true);
  });

  test.for(["nodenext", "bundler"])(
    "strict TypeScript (%s) accepts it, and refuses a wrong use",
    { timeout },
    (resolution) => {
      const project = installed(`typed-${resolution}`);
      const options = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        noEmit: true,
        types: [],
        target: "es2022",
        lib: ["es2023", "dom"],
        module: resolution === "nodenext" ? "nodenext" : "esnext",
        moduleResolution: resolution,
      };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["main.ts"] }));
      writeFileSync(
        join(project, "main.ts"),
        `import { CodecError, type DocJSON, normalize, parseMarkdown, serializeMarkdown, validate } from "markdown-codec";
const doc: DocJSON = parseMarkdown("a", { limits: { depth: 10 } });
const text: string = serializeMarkdown(normalize(doc).doc, { emit: { subSup: "html" } });
const answer = validate(JSON.parse(text));
export const issue: string = answer.ok ? answer.doc.type : (answer.issues[0]?.message ?? "");
// @ts-expect-error a number is not Markdown
parseMarkdown(1);
// @ts-expect-error the set of codes is closed
export const wrong = new CodecError("OTHER", "x");
`,
      );
      run(join(workspaceBin, "tsc"), ["-p", project], project);
    },
  );
});

describe("size for a browser, minified by esbuild and gzipped", () => {
  const kilobytes = async (external: string[], names: string[] = []): Promise<number> =>
    gzipKilobytes(await browserBundle(external, names));

  test("own code: reading, writing and normalising at most 14 kB, whatever is used at most 19.5 kB; all with libraries and emoji at most 95 kB", {
    timeout,
  }, async () => {
    // The table of emoji is a chunk of its own, as `markdown-codec/emoji`.
    const without = [...dependencies, "*/emoji.ts"];
    const core = await kilobytes(without, ["parseMarkdown", "serializeMarkdown", "normalize"]);
    const checked = await kilobytes(without, ["parseMarkdown", "serializeMarkdown", "normalize", "validate"]);
    const own = await kilobytes(without);
    const emoji = (await kilobytes(dependencies)) - own;
    const all = await kilobytes([]);
    const sizes = {
      "read, write, normalise": core,
      "and validate": checked,
      "main entry": own,
      "emoji table": emoji,
      all,
    };
    const shown = Object.entries(sizes).map(([name, size]) => `${name} ${size.toFixed(1)} kB`);
    process.stdout.write(`gzip: ${shown.join("; ")}\n`);
    expect(core).toBeLessThanOrEqual(14);
    expect(own).toBeLessThanOrEqual(19.5);
    expect(all).toBeLessThanOrEqual(95);
  });
});

function toArrayBuffer(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
