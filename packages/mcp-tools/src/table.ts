import { effects, type Tool } from "./tool.ts";
import { documentTools } from "./tools/documents.ts";
import { editTools } from "./tools/edits.ts";
import { findTools } from "./tools/find.ts";
import { historyTools } from "./tools/history.ts";
import { trashTools } from "./tools/trash.ts";
import { uploadTools } from "./tools/upload.ts";

/** Every tool, in the order of the list, which is the same for every caller. */
export const tools: readonly Tool[] = [
  ...findTools,
  ...documentTools,
  ...editTools,
  ...historyTools,
  ...trashTools,
  ...uploadTools,
];

/** The names of the tools that only read. */
export const readOnlyTools: ReadonlySet<string> = new Set(
  tools.filter(({ effect }) => effects[effect].readOnlyHint).map(({ name }) => name),
);

/** The names of the tools, which a log may contain. */
export const toolNames: ReadonlySet<string> = new Set(tools.map(({ name }) => name));
