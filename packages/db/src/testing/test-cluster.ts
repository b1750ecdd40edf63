import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import { z } from "zod";

const Details = z.object({
  /** Names the maintenance database. */
  url: z.string(),
  /** The tables that carry `teamId`. */
  tenantTables: z.array(z.string()),
  /** The file that records the statements which name no team. */
  statementLog: z.string(),
});

/** The PostgreSQL of the test run. */
export type ClusterDetails = z.output<typeof Details>;

const Answer = z.union([Details, z.object({ problem: z.string() })]);

let found: Promise<ClusterDetails> | undefined;

/** Returns the PostgreSQL of the run, and starts it for the first caller. @throws {Error} where it does not start */
export function testCluster(): Promise<ClusterDetails> {
  found ??= askForCluster(inject("testClusterPort"));
  return found;
}

async function askForCluster(port: number): Promise<ClusterDetails> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const answer = Answer.parse(JSON.parse(await text(socket)));
  if ("problem" in answer) throw new Error(`the PostgreSQL of the tests does not start: ${answer.problem}`);
  return answer;
}
