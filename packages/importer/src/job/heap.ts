import { totalmem } from "node:os";
import { constrainedMemory } from "node:process";

const mb = 1024 ** 2;
/** The titles, paths and links of 100,000 files. */
const largestMb = 1_024;
const smallestMb = 128;
/** The part of the memory that one import may use: the rest is for the process around it, and for PostgreSQL beside it. */
const share = 0.4;

/** Returns the heap of the thread of an import, in megabytes: a part of the memory that the process may use, of a container or the machine. */
export function importHeapMb(limitBytes: number = constrainedMemory(), machineBytes: number = totalmem()): number {
  // 0, or more than the machine has, where nothing limits the process.
  const available = limitBytes > 0 ? Math.min(limitBytes, machineBytes) : machineBytes;
  return Math.min(largestMb, Math.max(smallestMb, Math.floor((available * share) / mb)));
}
