// Migrations in development: `diff` prints the SQL from the migrations to the schema, `new NAME` writes it as a migration,
// `check` fails if schema and migrations differ. Each uses a temporary cluster and touches no other database.
import { startThrowAwayCluster } from "./cluster/throw-away.ts";
import { writeMigration } from "./migration-files.ts";
import { schemaDrift } from "./schema-drift.ts";

const [command, name] = process.argv.slice(2);

async function diffOnTemporaryCluster(): Promise<string> {
  const cluster = await startThrowAwayCluster();
  try {
    const url = new URL(cluster.url);
    url.pathname = "/postgres";
    return await schemaDrift(url.href);
  } finally {
    await cluster.stop();
  }
}

async function run(): Promise<number> {
  if (command === "diff") return print((await diffOnTemporaryCluster()) || "-- schema and migrations agree");
  if (command === "check") {
    const difference = await diffOnTemporaryCluster();
    if (difference === "") return print("schema and migrations agree");
    console.error(
      `schema.prisma and its migrations differ. Write a migration with migration:new NAME.\n\n${difference}`,
    );
    return 1;
  }
  if (command === "new" && name !== undefined) {
    const difference = await diffOnTemporaryCluster();
    if (difference === "") return print("nothing to do: schema and migrations agree");
    return print(`wrote prisma/migrations/${await writeMigration(name, `${difference}\n`)}/migration.sql`);
  }
  console.error("usage: migrations-cli.ts diff | new NAME | check");
  return 2;
}

function print(text: string): number {
  console.log(text);
  return 0;
}

process.exitCode = await run();
