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

/** A PNG of one pixel. */
export const dot = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);

/** The Internet of tests, which has a picture at every address. */
export const testOutgoing: NonNullable<Service["outgoing"]> = async () => ({ status: 200, headers: {}, body: dot });
