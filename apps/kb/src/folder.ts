import { stat } from "node:fs/promises";
import { CommandError } from "./failure.ts";

/** Where a file is to be written there has to be a folder. @throws {CommandError} */
export async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found === null || !found.isDirectory()) throw new CommandError("usage", `There is no folder ${folder}.`);
}
