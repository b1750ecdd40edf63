import type pg from "pg";
import { z } from "zod";
import { median } from "../median.ts";

/** A table that was considered for partitions, its columns, what it is filled with, and what reads it. */
type Subject = {
  readonly table: string;
  /** The time by which it would be partitioned. */
  readonly time: string;
  /** Its unique indexes and others; a partitioned table has the time in each unique one. */
  readonly unique: readonly string[];
  readonly indexes: readonly string[];
  /** SQL that returns the rows of the numbers `n`, of 20 teams and the last `$months` months. */
  readonly fill: (rows: number, months: number) => string;
  /** As the service reads it. */
  readonly reads: Readonly<Record<string, string>>;
};

/** Rows and months of a comparison. */
export type MonthsOptions = { readonly rows: number; readonly months: number };

/** The cost of one read of one form of a table. */
export type ReadCost = {
  readonly table: string;
  readonly read: string;
  /** The number of partitions; 0 for a table without any. */
  readonly partitions: number;
  /** Pages that were read, and the planner's estimate. */
  readonly buffers: number;
  readonly cost: number;
  readonly planningMs: number;
  readonly runningMs: number;
};

const dayMs = 24 * 3_600_000;
const monthMs = 30.4 * dayMs;
const team = (n: string): string => `lpad(to_hex(${n} % 20), 32, '0')::uuid`;
const id = (n: string): string => `md5((${n})::text)::uuid`;
const at = (rows: number, months: number): string =>
  `now() - (${rows} - n) * interval '${months * 30.4} days' / ${rows}`;
const oneTeam = "00000000-0000-0000-0000-000000000007";
const revisionsOfDocument = 10;

const subjects: readonly Subject[] = [
  {
    table: "audit_entries",
    time: "at",
    unique: [`"teamId", at, id`],
    indexes: [`"teamId", "userId", at, id`, `"teamId", "targetId", at, id`, `"teamId", action, at, id`],
    fill: (
      rows,
      months,
    ) => `("teamId", id, at, "userId", "credentialKind", "credentialId", action, outcome, "targetType", "targetId")
      SELECT ${team("n")}, gen_random_uuid(), ${at(rows, months)}, ${id("n % 100")}, 'session', 'bench', 'documents.update', 'success',
        'document', ${id("n % 5000")} FROM generate_series(1, ${rows}) n`,
    reads: {
      "the newest 26 entries of a team": `SELECT * FROM audit_entries WHERE "teamId" = '${oneTeam}' AND at >= $days365
        ORDER BY at DESC, id DESC LIMIT 26`,
      "the newest 26 of a day of last year": `SELECT * FROM audit_entries WHERE "teamId" = '${oneTeam}'
        AND at >= $days300 AND at < $days299 ORDER BY at DESC, id DESC LIMIT 26`,
      "the newest 26 about a document": `SELECT * FROM audit_entries WHERE "teamId" = '${oneTeam}' AND at >= $days365
        AND "targetId" = ${id("7")} ORDER BY at DESC, id DESC LIMIT 26`,
    },
  },
  {
    table: "events",
    time: "at",
    unique: [`"teamId", id`, `"teamId", sequence`],
    indexes: [`"dispatchedAt", at`, "at"],
    fill: (rows, months) => `("teamId", id, sequence, type, at, actor, data, "documentId", "dispatchedAt")
      SELECT ${team("n")}, ${id("n")}, n, 'document.updated', ${at(rows, months)}, '{}', '{}', ${id("n % 5000")}, now()
        FROM generate_series(1, ${rows}) n`,
    reads: {
      "a poll after a position": `SELECT * FROM events WHERE "teamId" = '${oneTeam}' AND sequence > $last ORDER BY sequence LIMIT 500`,
      "an event by its id": `SELECT * FROM events WHERE "teamId" = '${oneTeam}' AND id = ${id("$last / 20 * 20 - 13")}`,
    },
  },
  {
    table: "document_revisions",
    time: `"createdAt"`,
    unique: [`"teamId", "documentId", revision`],
    indexes: [],
    // The revisions of a document are spread over all months.
    fill: (rows, months) => `("teamId", "documentId", revision, title, "bodyHash", "editorKind", "createdAt")
      SELECT ${team(`n % ${rows / revisionsOfDocument}`)}, ${id(`n % ${rows / revisionsOfDocument}`)}, n / ${rows / revisionsOfDocument}, 'Title',
        sha256(n::text::bytea), 'session', ${at(rows, months)} FROM generate_series(1, ${rows}) n`,
    reads: {
      "a revision by its number": `SELECT * FROM document_revisions WHERE "teamId" = '${oneTeam}' AND "documentId" = ${id("7")} AND revision = 4`,
      "the newest 25 of a document": `SELECT * FROM document_revisions WHERE "teamId" = '${oneTeam}' AND "documentId" = ${id("7")}
        ORDER BY revision DESC LIMIT 25`,
    },
  },
];

const Explained = z.tuple([
  z.object({
    "QUERY PLAN": z.tuple([
      z.object({
        Plan: z.looseObject({
          "Total Cost": z.number(),
          "Shared Hit Blocks": z.number(),
          "Shared Read Blocks": z.number(),
        }),
        "Planning Time": z.number(),
        "Execution Time": z.number(),
      }),
    ]),
  }),
]);

/** Compares reads of each table in one piece and in a partition for each month. */
export async function compareMonths(client: pg.Client, { rows, months }: MonthsOptions): Promise<ReadCost[]> {
  const costs: ReadCost[] = [];
  await client.query("CREATE SCHEMA growth; SET search_path = growth; SET timezone = 'UTC'");
  for (const subject of subjects) {
    for (const partitions of [0, 1, months]) {
      await createTable(client, subject, partitions);
      await client.query(`INSERT INTO ${subject.table} ${subject.fill(rows, months)}`);
      await client.query(`VACUUM ANALYZE ${subject.table}`);
      for (const [read, text] of Object.entries(subject.reads)) {
        const cost = await costOf(client, withValues(text, rows));
        costs.push({ table: subject.table, read, partitions, ...cost });
      }
      await client.query(`DROP TABLE ${subject.table}`);
    }
  }
  await client.query("RESET search_path");
  return costs;
}

/** Puts values into a read: the last position but 20, and times some days ago. */
const withValues = (text: string, rows: number): string =>
  text
    .replaceAll("$last", String(rows - 20))
    .replaceAll(
      /\$days(\d+)/g,
      (_, days: string) => `'${new Date(Date.now() - Number(days) * dayMs).toISOString()}'::timestamptz`,
    );

async function createTable(client: pg.Client, subject: Subject, partitions: number): Promise<void> {
  const { table, time, unique, indexes } = subject;
  const by = partitions === 0 ? "" : `PARTITION BY RANGE (${time})`;
  await client.query(`CREATE TABLE ${table} (LIKE public.${table} INCLUDING DEFAULTS) ${by}`);
  for (const columns of unique) {
    const key = partitions === 0 || columns.includes(time) ? columns : `${columns}, ${time}`;
    await client.query(`CREATE UNIQUE INDEX ON ${table} (${key})`);
  }
  for (const columns of indexes) await client.query(`CREATE INDEX ON ${table} (${columns})`);
  const now = Date.now();
  const bound = (part: number): string => `('${new Date(now - (partitions - part) * monthMs).toISOString()}')`;
  for (let part = 0; part < partitions; part += 1) {
    const from = part === 0 ? "(MINVALUE)" : bound(part);
    const to = part === partitions - 1 ? "(MAXVALUE)" : bound(part + 1);
    await client.query(`CREATE TABLE ${table}_${part} PARTITION OF ${table} FOR VALUES FROM ${from} TO ${to}`);
  }
}

const rounds = 5;

/** Explains a read several times: the first fills the caches. */
async function costOf(client: pg.Client, text: string): Promise<Omit<ReadCost, "table" | "read" | "partitions">> {
  const explain = async () => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`);
    return Explained.parse(rows)[0]["QUERY PLAN"][0];
  };
  const first = await explain();
  const explained = [];
  for (let round = 0; round < rounds; round += 1) explained.push(await explain());
  const { Plan } = explained.at(-1) ?? first;
  return {
    buffers: Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"],
    cost: Plan["Total Cost"],
    planningMs: median(explained.map((each) => each["Planning Time"])),
    runningMs: median(explained.map((each) => each["Execution Time"])),
  };
}
