import { type Actor, authenticateApiKey, authenticateChannelToken } from "@kb/auth";
import { invoke, type Service } from "@kb/core";
import { operationCases, operationNamed, type PlanQuestion } from "@kb/core/testing";
import type { Database } from "@kb/db";
import type { Subjects } from "../scale/subjects.ts";

/** A call whose statements are explained. */
export type Case = {
  readonly operation: string;
  readonly input: object;
  /** Returns the maximum number of rows of growing tables to read, for the rows that it shows and counts. */
  readonly reads: (shown: number, total: number) => number;
  call(service: Service): Promise<unknown>;
};

export type Callers = PlanQuestion["callers"];

/** Authenticates a person who is logged in, a restricted key, and the reader of a channel. */
export async function callersOf(database: Database, { keys, channel }: Subjects): Promise<Callers> {
  const now = new Date();
  const plain = await authenticateApiKey(database, keys.plain, now);
  const restricted = await authenticateApiKey(database, keys.restricted, now);
  const reader = await authenticateChannelToken(database, channel.token, now);
  if (plain === null || restricted === null || reader === null)
    throw new Error("a credential of the benchmark is not valid");
  const person: Actor = {
    ...plain,
    scopes: new Set(["read", "write", "admin"]),
    systemAdmin: true,
    credential: { kind: "session", id: plain.userId, name: "Bench" },
  };
  return { person, restricted, channel: reader };
}

/** Collects the plan cases of every operation that reads from the operations' own case files. */
export function casesOf(subjects: Subjects, callers: Callers): Case[] {
  return [...operationCases.values()].flatMap(({ operation, plans }) =>
    (plans?.({ subjects, callers }) ?? []).map(({ caller, input, reads }) => ({
      operation,
      input,
      reads,
      call: (service) => invoke(service, operationNamed(operation), caller, input),
    })),
  );
}
