import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { newId } from "@kb/db";
import { folderStore } from "@kb/storage";
import type { Service } from "../index.ts";

// Made by the first attachment of a process, and gone with the process.
const folder = resolve(tmpdir(), `kb-test-files-${process.pid}-${newId()}`);
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** A place for the attachments of tests, with the service's default limit. */
export const testFiles: NonNullable<Service["files"]> = { store: folderStore(folder), maxBytes: 25 * 1024 * 1024 };
