import type { Command } from "commander";
import type { Context } from "./context.ts";

/**
 * Gives a command its work, and the `--json` that all have. `run` gets the context, then what commander hands to an
 * action: the positional arguments and the options.
 */
export type AddLeaf = <Given extends unknown[]>(
  command: Command,
  run: (context: Context, ...given: Given) => Promise<void>,
) => void;

/** Makes `AddLeaf` for contexts that `makeContext` gives. */
export function leafOf(makeContext: (json: boolean) => Context): AddLeaf {
  return <Given extends unknown[]>(command: Command, run: (context: Context, ...given: Given) => Promise<void>) => {
    command
      .option("--json", "print one JSON object")
      .action((...given: Given) => run(makeContext(command.opts().json === true), ...given));
  };
}
