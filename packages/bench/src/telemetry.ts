import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, migrate, sql, startCluster } from "@kb/db";
import { startApp } from "./api-process.ts";
import { measure } from "./measure.ts";
import type { ServerProcess } from "./processes.ts";
import { scenarios } from "./scenarios.ts";
import { seed } from "./seed.ts";

// Measures the cost of telemetry: alternates between the API with it and the API without it, on one database.

/** The scenarios to compare. The CPU ratio is that of the API's process, so it excludes the collector. */
const comparedScenarios: ReadonlySet<string> = new Set(["GET a document", "PATCH the body"]);
const warmUpMs = 6_000;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-bench-"));
  const cluster = await startCluster({ dataDir: join(folder, "data") });
  const collector = await startCollector();
  try {
    await migrate(cluster.url);
    const database = connect({ url: cluster.url });
    const subject = await seed(database);
    await database.acrossTeams.execute(sql`VACUUM ANALYZE`);
    await database.close();
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRICS_EXPORTER: "none" };
    const settings: Readonly<Record<string, Record<string, string>>> = {
      "only metrics": { METRICS_PORT: "0" },
      "metrics, one trace in ten": {
        METRICS_PORT: "0",
        ...traces,
        OTEL_TRACES_SAMPLER: "traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.1",
      },
      "metrics, every trace": { METRICS_PORT: "0", ...traces },
    };
    for (const [name, environment] of Object.entries(settings)) {
      // Starts both again, because a process that has served requests has more of its code compiled.
      const servers = await Promise.all([
        startApp("api", cluster.url, undefined, environment),
        startApp("api", cluster.url),
      ]);
      await compare(name, servers, subject).finally(() => Promise.all(servers.map((server) => server.stop())));
    }
  } finally {
    collector.close();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(
  name: string,
  servers: readonly [ServerProcess, ServerProcess],
  subject: Awaited<ReturnType<typeof seed>>,
): Promise<void> {
  for (const scenario of scenarios(subject).filter((candidate) => comparedScenarios.has(candidate.name))) {
    const { cpuRatio, ratio, perSecond } = await measure(servers, subject.key, scenario, { warmUpMs });
    const cpu = cpuRatio === undefined ? "" : `, CPU time × ${(1 / cpuRatio).toFixed(2)}`;
    console.log(
      `${name}: ${scenario.name}: ${perSecond.toFixed(0)}/s; compared to no telemetry: throughput × ${ratio.toFixed(2)}${cpu}`,
    );
  }
}

/** Starts a collector that accepts everything and stores nothing. */
async function startCollector(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(200, { "Content-Type": "application/x-protobuf" }).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the collector does not listen");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

await main();
