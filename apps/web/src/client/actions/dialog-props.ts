import type { Target } from "./target.ts";

/** What a dialog about a document needs. */
export type DialogProps = { readonly target: Target; readonly onClose: () => void };
