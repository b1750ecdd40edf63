import { openStore } from "./open.ts";

// Makes the data sets of these sizes, where they are not there yet: `data 1000 100000 --characters=2000`.
const characters = Number(/^--characters=(\d+)$/m.exec(process.argv.slice(2).join("\n"))?.[1] ?? 1_200);
const sizes = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const store = await openStore({ filling: true });
try {
  for (const size of sizes) await store.open(Number(size), { characters });
} finally {
  await store.stop();
}
