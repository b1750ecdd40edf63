import { describe, expect, it } from "vitest";
import { backupName, checksumSuffix, filesToRemove, findBackups, isFileOfBackup, timeOf } from "./rotation.ts";

const address = { bucket: "b", path: "kb/prod" };
const nameOf = (day: number): string => backupName(new Date(Date.UTC(2026, 0, day, 3, 4, 5, 678)), true);
const files = (...names: string[]) => names.map((name) => ({ key: `kb/prod/${name}`, bytes: 1 }));
const complete = (day: number): string[] => [nameOf(day), nameOf(day) + checksumSuffix];

describe("backups in a bucket", () => {
  it("a name contains the time, and sorts by it", () => {
    expect(nameOf(2)).toBe("kb-20260102T030405678Z.tar.gz.age");
    expect(timeOf(nameOf(2)).toISOString()).toBe("2026-01-02T03:04:05.678Z");
    expect(nameOf(9) < nameOf(10)).toBe(true);
  });

  it("a backup counts as complete only with its checksum, and foreign files never count", () => {
    const found = findBackups(
      address,
      files(...complete(1), nameOf(2), nameOf(3) + checksumSuffix, ...complete(4), "notes.txt", `old/${nameOf(5)}`),
    );
    expect(found.complete).toEqual([nameOf(4), nameOf(1)]);
    expect([...found.incomplete].sort()).toEqual([nameOf(2), nameOf(3) + checksumSuffix]);
  });

  it("files of other programs are not those of a backup, whatever they begin with", () => {
    expect([nameOf(1), nameOf(1) + checksumSuffix].every(isFileOfBackup)).toBe(true);
    expect([`kb-staging/${nameOf(1)}`, "kb-files/a.png", `${nameOf(1)}.png`, ""].some(isFileOfBackup)).toBe(false);
  });

  it("a rotation keeps the newest complete ones, and removes what is older, checksums first", () => {
    const all = findBackups(address, files(...[1, 2, 3, 4].flatMap(complete)));
    expect(filesToRemove(all, 2)).toEqual([2, 1].flatMap((day) => [nameOf(day) + checksumSuffix, nameOf(day)]));
    expect(filesToRemove(all, 4)).toEqual([]);
  });

  it("an incomplete backup takes no place of a complete one, and goes when it is older than all kept ones", () => {
    const all = findBackups(address, files(nameOf(1), ...complete(2), nameOf(3), ...complete(4), nameOf(5)));
    expect(filesToRemove(all, 2)).toEqual([nameOf(1)]);
  });

  it("the newest complete backup stays, whatever the number and whatever failed since", () => {
    for (const keep of [-1, 0, 1]) {
      const all = findBackups(address, files(...complete(1), ...complete(2), nameOf(3), nameOf(4)));
      expect(filesToRemove(all, keep)).toEqual([nameOf(1) + checksumSuffix, nameOf(1)]);
    }
    expect(filesToRemove(findBackups(address, files(nameOf(1), nameOf(2))), 1)).toEqual([]);
  });
});
