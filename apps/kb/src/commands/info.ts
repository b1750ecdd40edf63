import { countMails, readTeamUsages, type TeamUsage } from "@kb/core/admin";
import { type Quotas, type StorageKind, storageKinds } from "@kb/core/quotas";
import { connect, describeCluster } from "@kb/db";
import type { Command } from "commander";
import { folderHolder } from "../embedded.ts";
import type { AddLeaf } from "../leaf.ts";
import { version } from "../version.ts";

/** `kb info` */
export function addInfoCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("info")
    .description(
      "show the addresses of the service and its database (with password), the data folder and the stored bytes",
    );
  leaf(command, async ({ settings, output }) => {
    const { dataDir, quotas } = settings;
    // A running service knows its own address, whatever port or origin this command would take.
    const running = settings.databaseUrl === undefined ? folderHolder(dataDir) : null;
    const url = running?.url ?? settings.appUrl;
    const databaseUrl = settings.databaseUrl ?? describeCluster(dataDir)?.url ?? null;
    const stored = databaseUrl === null ? null : await readStored(settings.databaseDirectUrl ?? databaseUrl);
    const storage = stored?.storage ?? null;
    const mails = stored?.mails ?? null;
    output.answer({ url, databaseUrl, dataDir, version, storage, quotas, mails }, [
      `url          ${url}`,
      `databaseUrl  ${databaseUrl ?? "(the embedded PostgreSQL is not running; `kb start` starts it)"}`,
      `dataDir      ${dataDir}`,
      `version      ${version}`,
      ...storageLines(storage, quotas),
      ...(mails === null ? [] : [`mails        ${mails.pending} waiting, ${mails.failed} failed (\`kb mail list\`)`]),
    ]);
  });
}

type Stored = { readonly storage: TeamUsage[]; readonly mails: Record<string, number> };

/** Returns the stored bytes of each team and the mails by state; null if the database does not answer or is not up to date. */
async function readStored(url: string): Promise<Stored | null> {
  const database = connect({ url, poolMax: 1, applicationName: "kb command" });
  try {
    return { storage: await readTeamUsages({ database }), mails: await countMails({ database }) };
  } catch {
    return null;
  } finally {
    await database.close();
  }
}

const labels: Readonly<Record<StorageKind, string>> = {
  documents: "documents",
  revisions: "earlier revisions",
  attachments: "attachments",
};

function storageLines(storage: readonly TeamUsage[] | null, { team, user }: Quotas): string[] {
  if (storage === null) return ["storage      (unknown: the database does not answer or is not up to date)"];
  return storage.flatMap((usage) => [
    `storage      ${usage.team}`,
    ...storageKinds.map((kind) => `             ${labels[kind]}: ${bytesOf(usage[kind], team[kind])}`),
    ...storageKinds
      .filter((kind) => user[kind] !== undefined)
      .map((kind) => `             most ${labels[kind]} of a user: ${bytesOf(usage.mostOfUser[kind], user[kind])}`),
    `             files to import: ${bytesOf(usage.imports, team.imports)}`,
    ...(user.imports === undefined
      ? []
      : [`             most files to import of a user: ${bytesOf(usage.mostOfUser.imports, user.imports)}`]),
  ]);
}

function bytesOf(used: number, limit: number | undefined): string {
  const figure = (bytes: number): string => bytes.toLocaleString("en");
  return limit === undefined ? `${figure(used)} bytes` : `${figure(used)} of ${figure(limit)} bytes`;
}
