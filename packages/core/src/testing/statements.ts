import { operationCases } from "./case-registry.ts";

/** Records the statements of a database that is opened with its `onQuery`. */
export type StatementLog = {
  readonly onQuery: (text: string) => void;
  /** Returns the statements that run while `run` runs, each on one line, without those that open, end and announce transactions. */
  during(run: () => Promise<unknown>): Promise<string[]>;
};

const framesTransaction =
  /^(BEGIN|COMMIT|ROLLBACK|SET TRANSACTION|SET LOCAL synchronous_commit|SELECT pg_logical_emit_message)/i;
/** Announces a commit, some time after it: those of several changes are sent together. */
const announces = /^SELECT pg_notify\(/;

/** Creates an empty log of statements. */
export function statementLog(): StatementLog {
  const texts: string[] = [];
  return {
    onQuery: (text) => texts.push(text.trim()),
    during: async (run) => {
      texts.length = 0;
      await run();
      return texts
        .filter((text) => !framesTransaction.test(text) && !announces.test(text))
        .map((text) => text.replaceAll(/\s+/g, " "));
    },
  };
}

/** Returns the beginning of each statement, for the message of a failed test. */
export const abbreviated = (statements: readonly string[]): string =>
  statements.map((text) => text.slice(0, 120)).join("\n");

/** Returns the maximum number of statements of any call of an operation. @throws {Error} if it has no case */
export function budgetOf(name: string): number {
  const found = operationCases.get(name);
  if (found === undefined) throw new Error(`${name} has no case`);
  return found.statementsOfAnyInput ?? found.statements;
}
