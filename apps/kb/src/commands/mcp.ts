import * as admin from "@kb/core/admin";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { noProgress } from "../context.ts";
import type { AddLeaf } from "../leaf.ts";

/** `kb mcp on|off` */
export function addMcpCommands(program: Command, leaf: AddLeaf): void {
  const mcp = program.command("mcp").description("turn access by assistants (MCP) on or off for a team");
  for (const state of ["on", "off"] as const) {
    const command = mcp
      .command(state)
      .description(`turn MCP ${state} for a team`)
      .option("--team <team>", "name or id of the team, if there are several");
    leaf(command, async ({ settings, output }, options: { team?: string }) => {
      const team = await withService(settings, noProgress, ({ service }) =>
        admin.setMcp(service, options.team, state === "on"),
      );
      output.answer(team, [`MCP is ${state} for "${team.name}".`]);
    });
  }
}
