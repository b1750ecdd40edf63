import * as admin from "@kb/core/admin";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { noProgress } from "../context.ts";
import type { AddLeaf } from "../leaf.ts";

/** `kb group list` */
export function addGroupCommands(program: Command, leaf: AddLeaf): void {
  const list = program
    .command("group")
    .description("show the groups of a team")
    .command("list")
    .description("list the groups with their members and permissions")
    .option("--team <team>", "name or id of the team, if there are several");
  leaf(list, async ({ settings, output }, { team }: { team?: string }) => {
    const groups = await withService(settings, noProgress, ({ service }) => admin.listGroups(service, team));
    const lines = groups.map(
      ({ id, name, memberCount, capabilities }) =>
        `${name}: ${memberCount === 1 ? "1 member" : `${memberCount} members`} (${capabilities.join(", ")}; ${id})`,
    );
    output.answer({ groups }, lines);
  });
}
