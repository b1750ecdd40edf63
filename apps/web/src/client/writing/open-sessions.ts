import type { WritingSession } from "./writing-session.ts";

/** The sessions of the documents that are being written on this page. */
export const openSessions = new Set<WritingSession>();
