import { createServer } from "node:net";
import type { TestProject } from "vitest/node";
import type { TestCluster } from "./start-test-cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port of 127.0.0.1 on which `cluster-setup.ts` hands out the PostgreSQL of the run. */
    testClusterPort: number;
  }
}

/** Starts the PostgreSQL of the run for the first test that needs it. */
type Broker = { readonly port: number; stop(): Promise<void> };

// Vitest evaluates this file anew for each project, in one process: only what hangs on the process is one for the run.
const shared: NodeJS.Process & { testClusterBroker?: Promise<Broker> } = process;

/**
 * Vitest's global setup: offers one PostgreSQL for the run. It starts with the first test file that calls
 * `testCluster()`, so that a run of pure tests starts none.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const isFirst = shared.testClusterBroker === undefined;
  shared.testClusterBroker ??= startBroker();
  const broker = await shared.testClusterBroker;
  project.provide("testClusterPort", broker.port);
  return isFirst ? () => broker.stop() : undefined;
}

async function startBroker(): Promise<Broker> {
  let started: Promise<TestCluster> | undefined;
  const server = createServer(async (socket) => {
    socket.on("error", () => {});
    started ??= start();
    const answer = await started.then(
      ({ stop: _, ...details }) => details,
      (error: unknown) => ({ problem: String(error) }),
    );
    socket.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the broker of the test cluster has no port");
  const stop = async (): Promise<void> => {
    server.close();
    const cluster = await started?.catch(() => undefined);
    await cluster?.stop();
  };
  return { port: address.port, stop };
}

/** Loads the client and the migrations only when a test needs them: together they take longer than a pure test. */
async function start(): Promise<TestCluster> {
  const { startTestCluster } = await import("./start-test-cluster.ts");
  return startTestCluster();
}
