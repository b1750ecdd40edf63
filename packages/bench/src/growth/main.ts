import { connect, migrate, startThrowAwayCluster } from "@kb/db";
import pg from "pg";
import { openStore } from "../data/open.ts";
import { markdownTable } from "../write-results.ts";
import { compareMonths, type ReadCost } from "./months.ts";
import { readTableBytes, type TableBytes } from "./table-bytes.ts";
import { writeRows } from "./written-rows.ts";

// Measures how the tables grow, and what partitions of a month would cost their readers: `growth [--documents=N] [--rows=N]
// [--months=N] [--data=N]`. `--data` also reads the data set of N documents, and makes it first if it is missing.
const numberOf = (name: string, byDefault: number): number =>
  Number(new RegExp(`^--${name}=(\\d+)$`, "m").exec(process.argv.slice(2).join("\n"))?.[1] ?? byDefault);

const bytesColumns = ["Table", "Rows", "Bytes of a row in the table", "Indexes", "Bytes of a row in them"];
const bytesRow = ({ table, rows, inTable, indexes, inIndexes }: TableBytes): string[] => [
  `\`${table}\``,
  rows.toLocaleString("en"),
  inTable.toFixed(0),
  `${indexes}`,
  inIndexes.toFixed(0),
];

const readColumns = ["Table", "Read", "Partitions", "Buffers", "Estimated cost", "Planning", "Running"];
const readRow = ({ table, read, partitions, buffers, cost, planningMs, runningMs }: ReadCost): string[] => [
  `\`${table}\``,
  read,
  partitions === 0 ? "None" : `${partitions}`,
  `${buffers}`,
  cost.toFixed(0),
  `${planningMs.toFixed(2)} ms`,
  `${runningMs.toFixed(2)} ms`,
];

async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

async function measureWritten(url: string): Promise<void> {
  const documents = numberOf("documents", 500);
  const edits = 6;
  const database = connect({ url });
  try {
    await writeRows(database, documents, edits);
  } finally {
    await database.close();
  }
  const bytes = await withClient(url, async (client) => {
    await client.query("VACUUM (FULL, ANALYZE)");
    return readTableBytes(client, documents);
  });
  console.log(`${documents} documents by the service, each edited ${edits} times, packed by VACUUM FULL:\n`);
  console.log(`${markdownTable(bytesColumns, bytes.map(bytesRow))}\n`);
}

async function measureDataSet(count: number): Promise<void> {
  const store = await openStore({ filling: true });
  try {
    const { url } = await store.open(count, { characters: 1_200 });
    const bytes = await withClient(url, (client) => readTableBytes(client, 1_000));
    console.log(`The data set of ${count.toLocaleString("en")} documents and three teams of a tenth:\n`);
    console.log(`${markdownTable(bytesColumns, bytes.map(bytesRow))}\n`);
  } finally {
    await store.stop();
  }
}

const cluster = await startThrowAwayCluster();
try {
  const url = new URL(cluster.url);
  url.pathname = "/growth";
  await migrate(url.href);
  await measureWritten(url.href);
  const rows = numberOf("rows", 400_000);
  const months = numberOf("months", 36);
  const costs = await withClient(url.href, (client) => compareMonths(client, { rows, months }));
  console.log(`${rows.toLocaleString("en")} rows of ${months} months and 20 teams, everything in the cache:\n`);
  console.log(markdownTable(readColumns, costs.map(readRow)));
} finally {
  await cluster.stop();
}
if (numberOf("data", 0) > 0) await measureDataSet(numberOf("data", 0));
