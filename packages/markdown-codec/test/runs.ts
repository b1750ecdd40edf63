import { randomInt } from "node:crypto";

const given = process.env.KB_FUZZ_RUNS;
const total = Number(given ?? 12_000);
// A usual run tries a tenth of what the workflow `fuzz` tries at least, but not so few that a rare construct never occurs.
const fewest = given === undefined ? 100 : 1;
const seed = process.env.KB_FUZZ_SEED === undefined ? randomInt(2 ** 31) : Number(process.env.KB_FUZZ_SEED);
if (!Number.isSafeInteger(total) || total < 1) throw new Error("KB_FUZZ_RUNS is a number of cases");
if (!Number.isSafeInteger(seed)) throw new Error("KB_FUZZ_SEED is a whole number");

/**
 * Returns how many random cases a property tries: `cases` of each 120,000 (20,000 documents and 100,000 texts) of
 * KB_FUZZ_RUNS, by default 12,000. The seed is fresh for every run, or KB_FUZZ_SEED to repeat one.
 */
export function runs(cases: number): { numRuns: number; seed: number } {
  return { numRuns: Math.max(Math.min(fewest, cases), Math.round((total * cases) / 120_000)), seed };
}

/** Prints what a run did, so that it can be repeated. */
export function report(what: string, { numRuns }: { numRuns: number }): void {
  process.stdout.write(`${what}: ${numRuns.toLocaleString("en")} cases, KB_FUZZ_SEED=${seed}\n`);
}
