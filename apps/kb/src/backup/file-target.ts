import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { syncFolder } from "@kb/storage";
import { CommandError } from "../failure.ts";
import type { BackupTarget } from "./backup.ts";

/** Writes a backup to a file. Writes to a temporary name first, so the file is complete whenever it exists. */
export function fileTarget(out: string): BackupTarget {
  const unfinished = `${out}.unfinished`;
  return async (bytes, { signal }) => {
    await rm(unfinished, { force: true });
    try {
      await pipeline(bytes, createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true }), { signal });
      await rename(unfinished, out);
      await syncFolder(dirname(out));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw isDiskFull(error) ? diskFull(out, error) : error;
    }
    return { file: out };
  };
}

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");

const diskFull = (out: string, cause: unknown): CommandError =>
  new CommandError("disk_full", `There is no space left for ${out}. No file was written.`, { cause });
