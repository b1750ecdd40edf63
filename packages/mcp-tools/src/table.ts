import type { Tool } from "./tool.ts";
import { documentTools } from "./tools/documents.ts";
import { editTools } from "./tools/edits.ts";
import { findTools } from "./tools/find.ts";
import { trashTools } from "./tools/trash.ts";
import { uploadImage } from "./tools/upload.ts";

/** Every tool, in the order in which it is listed, which is the same for everybody. */
export const tools: readonly Tool[] = [...findTools, ...documentTools, ...editTools, ...trashTools, uploadImage];

/** The names of the tools: what a log may say of a call. */
export const toolNames: ReadonlySet<string> = new Set(tools.map(({ name }) => name));
