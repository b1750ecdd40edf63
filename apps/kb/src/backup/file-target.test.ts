import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fileTarget } from "./file-target.ts";

const folder = mkdtempSync(join(tmpdir(), "kb-target-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const job = {
  expectedBytes: 0,
  hasFiles: () => true,
  signal: new AbortController().signal,
  progress: () => {},
};

it("a disk that is full leaves no file, and the error says so", async () => {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(100);
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC", syscall: "write" });
  }
  const out = join(folder, "kb.tar.gz");
  await expect(fileTarget(out)(bytes(), job)).rejects.toMatchObject({
    code: "disk_full",
    message: `There is no space left for ${out}. No file was written.`,
  });
  expect(readdirSync(folder)).toEqual([]);
});
