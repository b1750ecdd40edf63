import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startThrowAwayCluster } from "@kb/db";
import { memoryFolder } from "@kb/testing/memory-folder";
import { expect, it } from "vitest";
import { startService } from "../soak/service.ts";
import { regressions } from "./judge.ts";
import { runWorst } from "./run-worst.ts";

const sizes = { largeDocuments: 12, treeDocuments: 4_000, terms: 120_000 };

it("no operation's worst known input blocks the service, fails a request of others or gets an undocumented answer", {
  timeout: 900_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "kb-worst-"));
  const cluster = await startThrowAwayCluster({}, memoryFolder());
  try {
    const service = await startService(folder, folder, 1, { DATABASE_URL: cluster.url });
    try {
      const run = await runWorst({ ...service, databaseUrl: cluster.url }, sizes, { isShort: true });
      expect(run.results.length).toBeGreaterThan(150);
      expect(regressions(run)).toEqual([]);
    } finally {
      await service.stop();
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
