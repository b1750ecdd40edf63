import type { Tool } from "./tool.ts";
import { editTools } from "./tools/edits.ts";

/** Every tool, in the order in which it is listed, which is the same for everybody. */
export const tools: readonly Tool[] = [...editTools];
