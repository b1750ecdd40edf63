import { stat } from "node:fs/promises";
import { CommandError } from "./failure.ts";

/** Requires the folder of a file that is to be written. @throws {CommandError} */
export async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found === null || !found.isDirectory()) throw new CommandError("usage", `The folder ${folder} does not exist.`);
}
