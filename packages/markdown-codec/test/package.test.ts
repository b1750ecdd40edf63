import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { characterEntities } from "character-entities";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeEntity } from "../scripts/entities/decode-entity.ts";
import * as codec from "../src/index.ts";
import { browserBundle, gzipKilobytes } from "./bundle.ts";
import { readme, readmeExamples } from "./readme-examples.ts";

const root = resolve(import.meta.dirname, "..");
const bin = (name: string): string => resolve(root, "node_modules/.bin", name);
const workspaceBin = resolve(root, "../../node_modules/.bin");
const timeout = 240_000;

/** Modules that hold the work of others: the table of emoji (a chunk of its own), and markdown-it's rules with that of entities. */
const othersWork = ["*/emoji.ts", "*/markdown-it.ts"];

interface Manifest {
  dependencies?: Record<string, string>;
  peerDependencies: Record<string, string>;
}

const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

let folder = "";
let tarball = "";

/** Runs a program and returns its output; a failure carries both of its outputs. */
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
  run("npx", ["--yes", "pnpm@10.34.9", "run", "build"], root);
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

/** Strict TypeScript with one of the two resolutions that know the exports of a package. */
function compilerOptionsFor(resolution: string): object {
  return {
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
}

describe("the published package", () => {
  test("publint --strict has nothing to say", { timeout }, async () => {
    const { messages, pkg } = await publint({ strict: true, pack: { tarball: toArrayBuffer(readFileSync(tarball)) } });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test("attw --profile esm-only finds no problem: it would exit with an error", { timeout }, () => {
    const findings = run(bin("attw"), [tarball, "--profile", "esm-only", "--format", "ascii"], root);
    for (const entry of [
      "",
      "/schema",
      "/html",
      "/emoji",
      "/on-demand",
      "/serialize-only",
      "/with-html",
      "/create-codec",
      "/testing",
    ])
      expect(findings).toContain(`"markdown-codec${entry}"`);
  });

  test("the tarball holds the code, its types, the licence and the README, and no test", () => {
    const names = run("tar", ["tzf", tarball], root).split("\n");
    for (const name of ["dist/index.js", "dist/index.d.ts", "LICENSE", "README.md", "CHANGELOG.md", "package.json"]) {
      expect(names).toContain(`package/${name}`);
    }
    expect(names.filter((name) => /package\/(?:test|bench|scripts|node_modules)\//.test(name))).toEqual([]);
  });

  test("the package brings no library along, and allows newer versions of prosemirror-model, so that one copy is installed", () => {
    const packed = JSON.parse(run("tar", ["xzOf", tarball, "package/package.json"], root));
    expect(packed.dependencies).toBeUndefined();
    expect(packed.peerDependencies).toMatchObject({ "prosemirror-model": expect.stringMatching(/^\^1\./) });
    expect(packed).toMatchObject({ author: expect.any(String), publishConfig: { access: "public", provenance: true } });
    expect(packed.keywords.length).toBeGreaterThan(5);
    const release = readFileSync(resolve(root, "../../.github/workflows/release.yml"), "utf8");
    for (const field of ["repository.url", "bugs.url", "homepage", "funding.url"]) expect(release).toContain(field);
  });

  test("the package has markdown-it's rules with their licence, and the module of them imports nothing", () => {
    const rules = run("tar", ["xzOf", tarball, "package/dist/syntax/markdown-it.js"], root);
    expect(rules).toContain("Vitaly Puzrin, Alex Kocharin");
    expect(rules).not.toMatch(/^import /m);
  });

  test("the built package, which has its own table, reads all 2,125 entities of CommonMark as its source does", {
    timeout,
  }, async () => {
    const built: typeof codec = await import(pathToFileURL(join(root, "dist/index.js")).href);
    const names = Object.entries(characterEntities);
    expect(names).toHaveLength(2_125);
    for (const [name, characters] of names) expect(decodeEntity(`&${name};`), name).toBe(characters);
    for (const text of ["&;", "&none;", "&copyfoo;"]) expect(decodeEntity(text)).toBe(text);
    for (const [name] of names) {
      const text = `a&${name};b [a](/b&${name};c)`;
      expect(built.parseMarkdown(text), name).toEqual(codec.parseMarkdown(text));
    }
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
import * as onDemand from "markdown-codec/on-demand";
import * as only from "markdown-codec/serialize-only";
import * as html from "markdown-codec/with-html";
import { createCodec } from "markdown-codec/create-codec";
const doc = parseMarkdown("# Hi {#x}\\n\\n==a== :tada:\\n");
schema.nodeFromJSON(doc).check();
console.log(JSON.stringify([serializeMarkdown(doc), toHtml(doc), Object.keys(emoji).length > 0]));
if (only.serializeMarkdown(doc) !== serializeMarkdown(doc)) throw new Error("another Markdown");
if (serializeMarkdown(await onDemand.parseMarkdown("# Hi {#x}\\n\\n==a== :tada:\\n")) !== serializeMarkdown(doc)) throw new Error("another document on demand");
if (html.serializeMarkdown(doc) !== serializeMarkdown(doc)) throw new Error("another Markdown with HTML");
if (createCodec({}).serializeMarkdown(doc) !== serializeMarkdown(doc)) throw new Error("another Markdown of a codec");
`,
    );
    const [markdown, html, hasEmoji] = JSON.parse(run(process.execPath, ["main.js"], project));
    expect(markdown).toBe("# Hi {#x}\n\n==a== 🎉\n");
    expect(html).toContain('<h1 id="x">Hi</h1>');
    expect(hasEmoji).toBe(true);
  });

  test.for(["nodenext", "bundler"])(
    "strict TypeScript (%s) accepts the examples of the README: a tiptap editor takes what is read",
    { timeout },
    (resolution) => {
      const project = installed(`editor-${resolution}`);
      symlinkSync(join(root, "node_modules/@tiptap"), join(project, "node_modules/@tiptap"));
      const files = readmeExamples().map((code, index) => {
        writeFileSync(join(project, `example-${index}.ts`), code);
        return `example-${index}.ts`;
      });
      // The types of tiptap itself are not ours to check.
      const compilerOptions = { ...compilerOptionsFor(resolution), skipLibCheck: true };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      run(join(workspaceBin, "tsc"), ["-p", project], project);
    },
  );

  test.for(["nodenext", "bundler"])(
    "strict TypeScript (%s) accepts it, and refuses a wrong use",
    { timeout },
    (resolution) => {
      const project = installed(`typed-${resolution}`);
      const compilerOptions = compilerOptionsFor(resolution);
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
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

/** Modules that change a part of a document: a page that only shows one loads none of them. */
const edits = ["append", "prepend", "insertAfterHeading", "replaceSection", "replaceText", "replaceTexts", "merge"];

/** A row of the README's tables of sizes: its bound, and the kilobytes that are stated or measured. */
interface Size {
  row: string;
  kB: number;
  most: number;
}

const statedSizes: Size[] = [...readme.matchAll(/^\| (.+) \| (\d+\.\d) \| ([\d.]+) \|$/gm)].map(
  ([, row = "", kB, most]) => ({ row, kB: Number(kB), most: Number(most) }),
);

describe("size for a browser, minified by esbuild and gzipped", () => {
  const kilobytes = async (external: string[], names: string[] = [], entry = "index"): Promise<number> =>
    gzipKilobytes(await browserBundle(external, names, entry));

  test("no row of the README's table of sizes is larger than its bound, and each states what is measured", {
    timeout,
  }, async () => {
    const without = [...dependencies, ...othersWork];
    const basic = ["parseMarkdown", "serializeMarkdown", "normalize"];
    const core = await kilobytes(without, basic);
    const own = await kilobytes(without);
    const others = Object.keys(codec).filter((name) => !edits.includes(name));
    const both = await kilobytes([], ["parseMarkdown", "serializeMarkdown"]);
    const onDemand = await kilobytes(["*/emoji.ts"], ["parseMarkdown", "serializeMarkdown"], "on-demand");
    const only = await kilobytes([], ["serializeMarkdown"], "serialize-only");
    const withHtml = await kilobytes(without, basic, "with-html");
    const create = await kilobytes(without, ["createCodec"], "create-codec");
    const sizes: Size[] = [
      { row: "`parseMarkdown` and `serializeMarkdown`, with all that they need", kB: both, most: 60 },
      { row: "both of `markdown-codec/on-demand`", kB: onDemand, most: 46.5 },
      { row: "`serializeMarkdown` of `markdown-codec/serialize-only`", kB: only, most: 20 },
      { row: "everything but the edits, with all that it needs", kB: await kilobytes([], others), most: 68 },
      // A quarter of a kilobyte of it is short ways that write a page of 1 kB in 20 % less time; the totals above bind.
      { row: "`parseMarkdown`, `serializeMarkdown`, `normalize`", kB: core, most: 27 },
      { row: "`toHtml`", kB: await kilobytes(without, ["toHtml"]), most: 5 },
      { row: "`validate`", kB: await kilobytes(without, ["validate"]), most: 4 },
      { row: "the edits and `merge`", kB: own - (await kilobytes(without, others)), most: 9 },
      { row: "`markdown-codec/with-html`", kB: withHtml - core, most: 3.5 },
      { row: "`markdown-codec/create-codec`", kB: create - own, most: 9.5 },
    ];
    const emoji = both - (await kilobytes(["*/emoji.ts"], ["parseMarkdown", "serializeMarkdown"]));
    process.stdout.write(`gzip: ${sizes.map(({ row, kB }) => `${row} ${kB.toFixed(2)} kB`).join("; ")}\n`);
    process.stdout.write(`gzip: of the first emoji ${emoji.toFixed(2)} kB\n`);
    expect(statedSizes).toHaveLength(sizes.length);
    for (const { row, kB, most } of sizes) {
      const stated = statedSizes.find((size) => size.row.startsWith(row));
      expect(stated?.most, row).toBe(most);
      expect(kB, row).toBeLessThanOrEqual(most);
      expect(Math.abs(kB - (stated?.kB ?? 0)), `${row}: ${kB.toFixed(2)} kB`).toBeLessThanOrEqual(0.1);
    }
    const statedEmoji = Number(/the table of emoji is ([\d.]+) kB/.exec(readme)?.[1]);
    expect(Math.abs(emoji - statedEmoji), `${emoji.toFixed(2)} kB of emoji`).toBeLessThanOrEqual(0.1);
  });
});

function toArrayBuffer(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
