import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeFolder, tryFolder } from "./make-folder.ts";

const root = mkdtempSync(join(tmpdir(), "kb-folders-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("a folder", () => {
  it("is made with those above it, for its owner only, and once", () => {
    const path = join(root, "one/two");
    makeFolder(path);
    makeFolder(path);
    for (const folder of [path, join(root, "one")]) expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("may be a link to one", () => {
    mkdirSync(join(root, "elsewhere"));
    symlinkSync(join(root, "elsewhere"), join(root, "link"));
    makeFolder(join(root, "link"));
    makeFolder(join(root, "link/below"));
    expect(existsSync(join(root, "elsewhere/below"))).toBe(true);
  });

  it("is not made where a file is in the way, which the error names and the file survives", () => {
    const file = join(root, "a-file");
    writeFileSync(file, "kept");
    for (const make of [makeFolder, tryFolder]) {
      for (const path of [file, join(file, "below")]) {
        expect(() => make(path)).toThrow(`EEXIST: file already exists, mkdir '${file}'`);
      }
    }
    expect(statSync(file).isFile()).toBe(true);
  });

  it("that cannot be made is named, also below /proc, which refuses every folder as missing", () => {
    expect(() => makeFolder("/proc/kb/data")).toThrow("mkdir '/proc/kb'");
  });

  it("that is only tried leaves nothing", () => {
    tryFolder(join(root, "tried/below"));
    expect(existsSync(join(root, "tried"))).toBe(false);
    tryFolder(root);
    expect(existsSync(root)).toBe(true);
  });
});
