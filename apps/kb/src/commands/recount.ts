import { recountStorage } from "@kb/core";
import type { Command } from "commander";
import { withService } from "../access.ts";
import type { AddLeaf } from "../leaf.ts";

/** `kb recount` */
export function addRecountCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("recount")
    .description("measure all documents and attachments again, for the quotas; the service can keep running");
  leaf(command, ({ settings, output }) =>
    withService(settings, output.progress, async ({ service }) => {
      const corrected = await recountStorage(service);
      output.answer({ corrected }, [
        `Counted all stored data again. Documents whose size was wrong: ${corrected.toLocaleString("en")}.`,
      ]);
    }),
  );
}
