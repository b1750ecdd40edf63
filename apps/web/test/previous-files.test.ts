import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureBuilt } from "@kb/web";
import { expect, it } from "vitest";
import { packageFolder } from "../src/build/paths.ts";
import { openAssets } from "../src/server/assets.ts";

it("the build of an image takes in the files of the release that runs, as the Dockerfile asks for them", {
  timeout: 180_000,
}, async () => {
  await ensureBuilt(() => {});
  const previous = mkdtempSync(join(tmpdir(), "kb-previous-"));
  const name = `previous-${randomUUID()}.js`;
  const kept = `kept-${randomUUID()}.js`;
  try {
    mkdirSync(join(previous, "assets"));
    for (const each of [name, kept]) writeFileSync(join(previous, "assets", each), "export {};");
    // `kept` is of the release before that one: its manifest does not name it.
    const manifest = { script: `/assets/${name}`, preloads: [], styles: [], assets: [name], inputs: "previous" };
    writeFileSync(join(previous, "manifest.json"), JSON.stringify(manifest));
    const program = join(packageFolder, "src/build/main.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [program, "--previous", previous]);
    expect(stdout).toMatch(/^built in /);
    const assets = openAssets();
    expect(assets.find(name)?.type).toContain("text/javascript");
    expect(assets.find(kept)).toBeUndefined();
    expect(assets.manifest?.script).not.toBe(`/assets/${name}`);
  } finally {
    rmSync(join(packageFolder, "dist/client/assets", name), { force: true });
    rmSync(previous, { recursive: true, force: true });
  }
});
