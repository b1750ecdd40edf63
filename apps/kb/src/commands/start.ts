import type { Command } from "commander";
import type { AddLeaf } from "../leaf.ts";

/** `kb start` */
export function addStartCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("start")
    .description("serve everything on one port; without DATABASE_URL on a PostgreSQL of its own in KB_DATA_DIR");
  leaf(command, async (context) => {
    // The apps are loaded for this command alone: the others are done sooner than that.
    const { start } = await import("../start/start.ts");
    await start(context);
  });
}
