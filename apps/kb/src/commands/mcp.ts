import { admin } from "@kb/core";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { silently } from "../context.ts";
import type { AddLeaf } from "../leaf.ts";

/** `kb mcp on|off` */
export function addMcpCommands(program: Command, leaf: AddLeaf): void {
  const mcp = program.command("mcp").description("whether assistants may connect to a team over MCP");
  for (const state of ["on", "off"] as const) {
    const command = mcp
      .command(state)
      .description(`switch MCP ${state} in a team`)
      .option("--team <team>", "the team's name or id, where there are several");
    leaf(command, async ({ settings, output }, options: { team?: string }) => {
      const team = await withService(settings, silently, ({ service }) =>
        admin.setMcp(service, options.team, state === "on"),
      );
      output.answer(team, [`MCP is ${state} in "${team.name}".`]);
    });
  }
}
