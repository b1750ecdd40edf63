import { availableParallelism } from "node:os";

/** The number of threads for large tasks. */
export const threadCount = Math.min(4, Math.max(2, availableParallelism()));
