import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Where Linux keeps files in memory. */
const inMemory = "/dev/shm";

/** The databases of a run stay far below it; a container often has less. */
const neededBytes = 4 * 1024 ** 3;

/**
 * Returns the folder for databases that end with the tests: one in memory where there is room, because a copy of a database takes a
 * quarter of the processor time there. `KB_TEST_FOLDER` names another one.
 */
export function memoryFolder(): string {
  const { KB_TEST_FOLDER: named } = process.env;
  if (named !== undefined && named !== "") return named;
  return hasRoom() ? inMemory : tmpdir();
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return process.platform === "linux" && Math.min(bavail * bsize, process.availableMemory()) >= neededBytes;
  } catch {
    return false;
  }
}
