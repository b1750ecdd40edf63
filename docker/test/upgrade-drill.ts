import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { repository } from "./dockerfile.ts";
import { type Answer, failures, startLoad } from "./load.ts";
import { type Releases, unopenedReleases } from "./releases.ts";
import { type LoadClient, requestsWith } from "./requests-with.ts";

// Runs the written upgrade under load: a release that was published before, with data, two instances of each app and a worker behind the
// proxy, to this one and back. Prints the requests of each step, and ends with 1 if one of them failed.
// `pnpm test:upgrade REF`, with redis-server and caddy in the path; REF may be the folder of an installed release.

const perSecond = Number(process.env.KB_UPGRADE_PER_SECOND ?? 20);
const documents = Number(process.env.KB_UPGRADE_DOCUMENTS ?? 300);

/** Instances in the order of docs/operations.md: `oauth` first, because an older one knows fewer ways to check a log-in. */
const forward = ["oauth-1", "oauth-2", "api-1", "mcp-1", "web-1", "api-2", "mcp-2", "web-2", "worker-1"];
/** The way back: workers last, because they save the newest text of live editing. */
const back = ["web-1", "api-1", "mcp-1", "web-2", "api-2", "mcp-2", "oauth-1", "oauth-2", "worker-1"];

type Step = { readonly name: string; readonly seconds: number; readonly answers: readonly Answer[] };

/** Returns whether the service answered: no error of its own, no broken connection, no error of a tool. */
const isServed = ({ status, text }: Answer): boolean =>
  status >= 200 && status < 400 && !text.includes('"isError":true') && !/"error":\{"code"/.test(text);

/** Runs the drill; ends everything that it started, also where it fails or is stopped while it starts. */
async function drill(ref: string, folder: string): Promise<boolean> {
  const stopped = Promise.withResolvers<never>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stopped.reject(new Error(signal)));
  const releases = unopenedReleases({ older: checkOut(ref, join(folder, "older")), newer: repository, folder });
  try {
    return await Promise.race([releases.open().then((opened) => upgradeAndBack(opened, folder)), stopped.promise]);
  } finally {
    await releases.close();
  }
}

async function upgradeAndBack(releases: Releases, folder: string): Promise<boolean> {
  const client = await fillWithData(releases, folder);
  const load = startLoad({ origin: releases.origin, perSecond, requests: requestsWith(client) });
  const step = async (name: string, run: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now();
    const before = load.answers.length;
    await run();
    const seconds = (performance.now() - startedAt) / 1_000;
    show({ name, seconds, answers: load.answers.slice(before) });
  };
  const replace = async (names: readonly string[], release: "older" | "newer"): Promise<void> => {
    for (const name of names) await releases.replace(name, release);
  };
  try {
    await step("kb backup of the older release", () => releases.kb("older", ["backup", "--out", join(folder, "b.gz")]));
    await step("kb migrate of this release", () => releases.kb("newer", ["migrate"]));
    await step("every instance to this release", () => replace(forward, "newer"));
    await step("every instance back", () => replace(back, "older"));
  } finally {
    await load.stop();
  }
  const failed = failures(load.answers, isServed);
  for (const line of failed) console.log(`failed: ${line}`);
  console.log(`${load.answers.length} requests, ${load.answers.filter((each) => !isServed(each)).length} failed`);
  return failed.length === 0;
}

function show(step: Step): void {
  const slowest = Math.max(0, ...step.answers.map(({ tookMs }) => tookMs));
  const failed = step.answers.filter((answer) => !isServed(answer)).length;
  const counts = `${step.answers.length} requests, ${failed} failed, the slowest ${Math.round(slowest)} ms`;
  console.log(`${step.name}: ${step.seconds.toFixed(1)} s; ${counts}`);
}

/** Puts a release into a folder and installs what it needs, unless it is a folder with both. */
function checkOut(ref: string, folder: string): string {
  if (existsSync(join(ref, "node_modules"))) return resolve(ref);
  execFileSync("git", ["worktree", "add", "--detach", "--force", folder, ref], { cwd: repository, stdio: "ignore" });
  const { packageManager }: { packageManager: string } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const install = ["--yes", packageManager, "install", "--frozen-lockfile", "--prefer-offline"];
  const { status, stdout } = spawnSync("npx", install, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${ref} could not be installed: ${stdout}`);
  return folder;
}

/** Imports pages with the older release; returns what a client needs. */
async function fillWithData(releases: Releases, folder: string): Promise<LoadClient> {
  const pages = join(folder, "pages");
  mkdirSync(pages);
  for (let at = 0; at < documents; at += 1) {
    writeFileSync(join(pages, `page-${at}.md`), `# Page ${at}\n\nThe guide of otter ${at}.\n\n- [ ] one\n- [x] two\n`);
  }
  const admin = "admin@example.com";
  await releases.kb("older", ["team", "create", "--name", "Drill", "--admin-email", admin]);
  await releases.kb("older", ["mcp", "on"]);
  await releases.kb("older", ["import", pages, "--collection", "Pages", "--user", admin]);
  const { key } = await releases.kb("older", ["key", "create", "--user", admin, "--scopes", "read,write"]);
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch(`${releases.origin}/api/v1/documents?limit=1`, { headers });
  const { data }: { data: { id: string; collectionId: string }[] } = JSON.parse(await answer.text());
  const [document] = data;
  if (typeof key !== "string" || document === undefined) throw new Error("the older release has no data");
  return { key, documentId: document.id, collectionId: document.collectionId };
}

const [ref] = process.argv.slice(2);
if (ref === undefined) {
  console.error("usage: node docker/test/upgrade-drill.ts REF");
  process.exitCode = 2;
} else {
  const folder = mkdtempSync(join(tmpdir(), "kb-upgrade-"));
  try {
    if (!(await drill(ref, folder))) process.exitCode = 1;
  } finally {
    if (existsSync(join(folder, "older")))
      spawnSync("git", ["worktree", "remove", "--force", join(folder, "older")], { cwd: repository });
    rmSync(folder, { recursive: true, force: true });
  }
}
