import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { CommandError } from "../failure.ts";
import { explainedByDisk } from "./full-disk.ts";

const unavailable = new CommandError("unavailable", "PostgreSQL at 127.0.0.1:5432 does not respond.");

it("a start that failed on a full disk says so, with a remedy", () => {
  const explained = explainedByDisk(unavailable, "/var/lib/kb", 2_400_000);
  expect(explained).toMatchObject({ code: "disk_full", cause: unavailable });
  expect(String(explained)).toContain(
    "The disk of the data folder /var/lib/kb is full (2 MB are free). Free at least 1 GB, or set KB_DATA_DIR to a folder on another disk.",
  );
});

it("a start that failed with room on the disk keeps its reason", () => {
  expect(explainedByDisk(unavailable, tmpdir())).toBe(unavailable);
});
