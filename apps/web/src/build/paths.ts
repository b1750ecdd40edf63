import { join } from "node:path";

/** The folder of this package. */
export const packageFolder = join(import.meta.dirname, "../..");
/** The repository's root. */
export const repositoryFolder = join(packageFolder, "../..");
