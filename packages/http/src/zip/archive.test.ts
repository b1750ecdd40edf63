import { randomBytes } from "node:crypto";
import type { ExportFile } from "@kb/core";
import JSZip from "jszip";
import { describe, expect, it } from "vitest";
import { archiveOf } from "./archive.ts";

const at = new Date("2026-02-03T04:05:07.890Z");

async function* pieces(bytes: Uint8Array, size = 50_000): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.byteLength; offset += size) yield bytes.subarray(offset, offset + size);
}

const file = (path: string, bytes: Uint8Array, packed = false): ExportFile => ({
  path,
  packed,
  modifiedAt: at,
  open: async () => pieces(bytes),
});

async function whole(files: Iterable<ExportFile>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of archiveOf(files)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("an archive", () => {
  it("unpacks to its files: empty, small, large, compressed or not, with any names", async () => {
    const text = Buffer.from("line of text\n".repeat(300_000));
    const contents = new Map<string, [Uint8Array, boolean]>([
      ["empty.md", [Buffer.alloc(0), false]],
      ["ünï/写真 🎉.md", [Buffer.from("small small small small"), false]],
      ["random.bin", [randomBytes(5_000), false]],
      ["large.txt", [text, false]],
      ["large random.bin", [randomBytes(3_000_000), false]],
      ["picture.png", [randomBytes(10), true]],
      ["film.mp4", [randomBytes(2_500_000), true]],
    ]);
    const archive = await whole([...contents].map(([path, [bytes, packed]]) => file(path, bytes, packed)));
    expect(archive.byteLength).toBeLessThan(8_000_000);
    const zip = await JSZip.loadAsync(archive, { checkCRC32: true });
    expect(Object.keys(zip.files)).toEqual([...contents.keys()]);
    for (const [path, [bytes]] of contents) {
      expect((await zip.file(path)?.async("nodebuffer"))?.equals(bytes), path).toBe(true);
      expect(zip.file(path)?.date.toISOString()).toBe("2026-02-03T04:05:06.000Z");
    }
  });

  it("is valid without files, and omits a file that no longer exists when its turn comes", async () => {
    expect(Object.keys((await JSZip.loadAsync(await whole([]))).files)).toEqual([]);
    const gone: ExportFile = { path: "gone.md", packed: false, modifiedAt: at, open: async () => null };
    const archive = await whole([gone, file("here.md", Buffer.from("x"))]);
    expect(Object.keys((await JSZip.loadAsync(archive)).files)).toEqual(["here.md"]);
  });

  it("holds more files than the original ZIP format allows (Zip64)", async () => {
    const count = 66_000;
    const empty = Buffer.alloc(0);
    const archive = await whole(Array.from({ length: count }, (_, index) => file(`${index}`, empty)));
    expect(Object.keys((await JSZip.loadAsync(archive)).files)).toHaveLength(count);
  }, 60_000);

  it("opens one file at a time, and closes it when the reader stops", async () => {
    const happened: string[] = [];
    const noisy = (path: string): ExportFile => ({
      path,
      packed: false,
      modifiedAt: at,
      open: async () => {
        happened.push(`open ${path}`);
        return (async function* () {
          try {
            for (let index = 0; index < 100; index += 1) yield randomBytes(40_000);
          } finally {
            happened.push(`close ${path}`);
          }
        })();
      },
    });
    for await (const _chunk of archiveOf([noisy("a"), noisy("b")])) if (happened.includes("open b")) break;
    // The pipe that compresses is taken down in a turn of its own.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(happened).toEqual(["open a", "close a", "open b", "close b"]);
  });

  it("fails if one of its files fails midway", async () => {
    const failing: ExportFile = {
      path: "a",
      packed: false,
      modifiedAt: at,
      open: async () =>
        (async function* () {
          yield randomBytes(1_500_000);
          throw new Error("the store is away");
        })(),
    };
    await expect(whole([failing])).rejects.toThrow("the store is away");
  });
});
