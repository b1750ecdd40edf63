import type { Command } from "commander";
import type { AddLeaf } from "../leaf.ts";

/** `kb start` */
export function addStartCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("start")
    .description("start the service on one port, with an embedded PostgreSQL unless DATABASE_URL is set");
  leaf(command, async (context) => {
    // Only this command loads the apps, which takes longer than most other commands run.
    const { start } = await import("../start/start.ts");
    await start(context);
  });
}
