import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorld, type World } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { clientIp } from "@kb/http";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";
import { createWeb, ensureBuilt } from "@kb/web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepPreviousAssets } from "../src/build/build.ts";
import { openAssets } from "../src/server/assets.ts";

describe("a service whose app is not built", () => {
  const root = mkdtempSync(join(tmpdir(), "kb-unbuilt-"));
  const empty = join(root, "empty");
  const damaged = join(root, "damaged");
  const failing = join(root, "failing.mjs");
  let test: TestDatabase;
  let world: World;
  beforeAll(async () => {
    test = await testDatabase();
    world = await createWorld(test.database);
    for (const folder of [empty, damaged]) mkdirSync(folder);
    writeFileSync(join(damaged, "manifest.json"), '{ "script": "/assets/ma');
    writeFileSync(failing, 'throw new Error("no such module");');
  });
  afterAll(async () => {
    rmSync(root, { recursive: true, force: true });
    await test?.drop();
  });

  /** Starts the pages on a folder of the built app, after a build by this program; returns what the start said. */
  const start = async (folder: string, program: string) => {
    const said: string[] = [];
    await ensureBuilt((line) => said.push(line), { program, folder });
    const app = createWeb({
      service: world.service,
      logger: createLogger({ app: "web", level: "silent" }),
      lifecycle: createLifecycle(),
      clientIp: clientIp([]),
      limiter: processLimiter(),
      assets: openAssets(folder),
    });
    return { app, said };
  };
  /** Expects that the guide is a whole page that asks for no file of the app. */
  const expectReadable = async ({ app }: Awaited<ReturnType<typeof start>>): Promise<void> => {
    expect((await app.request("/api/health")).status).toBe(200);
    const { cookie } = await world.session(world.people.editor);
    const answer = await app.request(`/documents/${world.documents.guide.id}`, {
      headers: { Accept: "text/html", Cookie: cookie },
    });
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain('<article class="prose"');
    expect(page).toContain(`<a href="/collections/${world.collections.open}"`);
    expect(page).not.toMatch(/<script[^>]*src=|<link[^>]*href="\/assets/);
  };
  const missing = join(root, "missing.mjs");
  const hasNoApp = ["the web app is missing or damaged, so pages have no script"];

  it("serves readable pages without script, and says so in one line", async () => {
    const started = await start(empty, missing);
    expect(started.said).toEqual(hasNoApp);
    await expectReadable(started);
  });

  it("does the same with a damaged manifest, which a further build passes over", async () => {
    const started = await start(damaged, missing);
    expect(started.said).toEqual(hasNoApp);
    await expectReadable(started);
    await keepPreviousAssets(damaged, empty);
  });

  it.each([empty, damaged])("starts after a build that fails, and says why in one line", async (folder) => {
    const started = await start(folder, failing);
    expect(started.said).toEqual([
      "building the web app",
      expect.stringMatching(/^the web app could not be built, so pages have no script: .*no such module.*$/),
    ]);
    await expectReadable(started);
  });
});
