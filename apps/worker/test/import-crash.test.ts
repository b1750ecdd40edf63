import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { invoke, operations } from "@kb/core";
import { inApp, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { expect, it } from "vitest";
import { openImportSetting, zipOf } from "./import-setting.ts";

const program = join(import.meta.dirname, "import-process.ts");
const pages = 120;

it("an import whose worker is killed is continued by another, and one that is stopped is continued on demand, without duplicates", {
  meta: { proves: ["decision.app.import-continue"] },
  timeout: 280_000,
}, async () => {
  const setting = await openImportSetting();
  const first = spawn(process.execPath, [program, JSON.stringify(setting.settings)], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  try {
    const { editor } = setting.world.people;
    const { service } = setting;
    const text = "Words in a text. ".repeat(200);
    const files = Object.fromEntries(
      Array.from({ length: pages }, (_, at) => [`page-${at}.md`, `# Page ${at}\n\n${text}`]),
    );
    const { id: collectionId } = await invoke(service, operations.createCollection, inApp(editor), { name: "Many" });
    const id = await setting.begin(editor, { name: "many.zip", bytes: await zipOf(files), input: { collectionId } });
    const written = () =>
      service.database.client.document.count({ where: { teamId: setting.world.teamId, collectionId } });
    await expect.poll(written, { timeout: 120_000, interval: 1 }).toBeGreaterThan(0);
    // However fast the import is, it writes no further page while the clock of the team is held.
    await withTeamClock(setting.world, async () => {
      first.kill("SIGKILL");
      await once(first, "exit");
    });
    expect(await setting.read(editor, id)).toMatchObject({ status: "running" });

    setting.work({ importLeaseMs: 1_000 });
    await expect
      .poll(async () => (await setting.read(editor, id)).read, { timeout: 120_000, interval: 20 })
      .toBeGreaterThan(0);
    await invoke(service, operations.stopImport, inApp(editor), { id });
    const stopped = await setting.ended(editor, id);
    if (stopped.status === "stopped") {
      expect(stopped.canContinue).toBe(true);
      await invoke(service, operations.continueImport, inApp(editor), { id });
    }
    expect(await setting.ended(editor, id)).toMatchObject({ status: "done", files: pages });
    const list = { collectionId, limit: 1 };
    expect(await invoke(service, operations.listDocuments, inApp(editor), list)).toMatchObject({ total: pages });
  } finally {
    first.kill("SIGKILL");
    await setting.close();
  }
});

/** Runs while every write of the team waits. */
function withTeamClock({ teamId, service }: World, run: () => Promise<void>): Promise<void> {
  return service.database.transaction(async (tx) => {
    await tx.rows(sql`SELECT 1 FROM team_clocks c WHERE c."teamId" = ${teamId}::uuid FOR UPDATE`);
    await run();
  });
}
