import { openStore } from "./open.ts";

// Creates the missing data sets of these sizes: `data 1000 100000 --characters=2000`.
const characters = Number(/^--characters=(\d+)$/m.exec(process.argv.slice(2).join("\n"))?.[1] ?? 1_200);
const sizes = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const store = await openStore({ filling: true });
try {
  for (const size of sizes) await store.open(Number(size), { characters });
} finally {
  await store.stop();
}
