import type { Command } from "commander";
import type { Context } from "./context.ts";

/**
 * Adds the action of a command and the option `--json`. `run` receives the context, then commander's positional arguments
 * and options.
 */
export type AddLeaf = <Given extends unknown[]>(
  command: Command,
  run: (context: Context, ...given: Given) => Promise<void>,
) => void;

/** Creates `AddLeaf` for contexts of `makeContext`. */
export function leafOf(makeContext: (json: boolean) => Context): AddLeaf {
  return <Given extends unknown[]>(command: Command, run: (context: Context, ...given: Given) => Promise<void>) => {
    command
      .option("--json", "print one JSON object")
      .action((...given: Given) => run(makeContext(command.opts().json === true), ...given));
  };
}
