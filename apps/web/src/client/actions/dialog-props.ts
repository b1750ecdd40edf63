import type { Target } from "./target.ts";

/** Props of every dialog about a document. */
export type DialogProps = { readonly target: Target; readonly onClose: () => void };
