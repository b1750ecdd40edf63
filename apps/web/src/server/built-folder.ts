import { fileURLToPath } from "node:url";

/** The folder of the built app; in a bundle, the one beside it. */
export const builtFolder = fileURLToPath(new URL("../../dist/client/", import.meta.url));
