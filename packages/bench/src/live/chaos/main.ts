import { parseArgs } from "node:util";
import { type ChaosOutcome, runChaos } from "./run-chaos.ts";

// `live:chaos --minutes 30` lets 12 people and 2 assistants write in 3 documents through the proxy of the compose file, while
// processes and PostgreSQL are killed, networks are cut, tabs crash, the service is updated and backed up. Exits with 1 if a piece of
// acknowledged text is not in the log exactly once, something else than a restore takes text away, or two readers see different documents.

const { values } = parseArgs({ options: { minutes: { type: "string", default: "30" } } });

async function main(): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort(signal));
  const endsAt = performance.now() + Number(values.minutes) * 60_000;
  const outcome = await runChaos({
    peopleInDocument: 4,
    calmMs: 4_000,
    goesOn: () => performance.now() < endsAt,
    signal: interrupted.signal,
    report: console.log,
  });
  report(outcome);
  if (outcome.problems.length > 0) process.exitCode = 1;
}

function report({ disasters, people, assistants, problems }: ChaosOutcome): void {
  const sum = (of: (person: (typeof people)[number]) => readonly string[]): number =>
    people.reduce((total, person) => total + of(person).length, 0);
  console.log(`${disasters} disasters: ${sum((one) => one.acknowledged)} pieces of people acknowledged`);
  console.log(
    `${sum((one) => one.uncertain)} on their way when a tab crashed, ${sum((one) => one.orphaned)} without a place`,
  );
  for (const { done, heading, unanswered } of assistants) {
    const parts = Object.entries(done).map(([what, times]) => `${times} ${what}`);
    console.log(`${heading}: ${parts.join(", ")}, ${unanswered} calls without an answer`);
  }
  for (const problem of problems) console.log(problem);
  console.log(problems.length === 0 ? "Nothing is lost, doubled or different." : `${problems.length} problems`);
}

await main();
