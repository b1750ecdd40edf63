import { describeCluster } from "@kb/db";
import type { Command } from "commander";
import type { AddLeaf } from "../leaf.ts";
import { version } from "../version.ts";

/** `kb info` */
export function addInfoCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("info")
    .description("where the service, its database and its data are (contains the database's password)");
  leaf(command, async ({ settings, output }) => {
    const { appUrl: url, dataDir } = settings;
    const databaseUrl = settings.databaseUrl ?? describeCluster(dataDir)?.url ?? null;
    output.answer({ url, databaseUrl, dataDir, version }, [
      `url          ${url}`,
      `databaseUrl  ${databaseUrl ?? "(the embedded server does not run; `kb start` starts it)"}`,
      `dataDir      ${dataDir}`,
      `version      ${version}`,
    ]);
  });
}
