import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ownServer } from "../embedded.ts";
import { readSettings } from "../env.ts";
import { CommandError } from "../failure.ts";
import { explainedByDisk } from "./full-disk.ts";
import { start } from "./start.ts";

const disk = vi.hoisted((): { freeBytes: number | null } => ({ freeBytes: null }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const statfsSync = (path: string): unknown =>
    disk.freeBytes === null ? fs.statfsSync(path) : { bavail: disk.freeBytes / 1_000, bsize: 1_000 };
  return { ...fs, statfsSync };
});
vi.mock("../embedded.ts", () => ({ ownServer: vi.fn() }));
vi.mock("@kb/web", () => ({ ensureBuilt: async () => {} }));

const unavailable = new CommandError("unavailable", "PostgreSQL at 127.0.0.1:5432 does not respond.");
const dataDir = tmpdir();

beforeEach(() => {
  disk.freeBytes = 2_400_000;
});

describe("a start that failed on a full disk", () => {
  it("says so, with a remedy and the first reason", () => {
    const explained = explainedByDisk(unavailable, "/var/lib/kb");
    expect(explained).toMatchObject({
      code: "disk_full",
      cause: unavailable,
      message:
        "The disk of the data folder /var/lib/kb is full (2 MB are free). Free at least 1 GB, or set KB_DATA_DIR to a folder on another disk. It had failed with: PostgreSQL at 127.0.0.1:5432 does not respond.",
    });
  });

  it.each(["already_running", "port_unusable"])("keeps the reason %s, which no disk explains", (code) => {
    const error = new CommandError(code, "Another program runs.");
    expect(explainedByDisk(error, dataDir)).toBe(error);
  });

  it("says so when PostgreSQL did not even start", async () => {
    vi.mocked(ownServer).mockRejectedValue(
      new CommandError("database_failed", "The embedded PostgreSQL did not start."),
    );
    const context = {
      settings: { ...readSettings({}), dataDir },
      output: { json: false, progress: () => {}, answer: () => {} },
      signal: new AbortController().signal,
      fail: () => {},
    };
    await expect(start(context)).rejects.toMatchObject({ code: "disk_full" });
  });
});

describe("the reason of a failed start stays", () => {
  it("with room on the disk", () => {
    disk.freeBytes = 32_000_000;
    expect(explainedByDisk(unavailable, dataDir)).toBe(unavailable);
  });

  it("if the folder is gone", () => {
    disk.freeBytes = null;
    expect(explainedByDisk(unavailable, join(dataDir, "gone", "away"))).toBe(unavailable);
  });
});
