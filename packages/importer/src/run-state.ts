import type { Manifest } from "./manifest.ts";
import type { Reading } from "./read.ts";
import type { Findings } from "./report.ts";
import type { ImportResult } from "./result.ts";
import type { Source } from "./sources.ts";
import type { Store } from "./store.ts";
import type { Targets } from "./targets.ts";

export type ImportOptions = {
  readonly store: Store;
  /** The manifest of an export. */
  readonly manifest: Manifest;
  /** Whether to update existing documents. */
  readonly update: boolean;
  /** Whether `#tags` in the text become tags. */
  readonly textTags: boolean;
  readonly findings: Findings;
  readonly signal: AbortSignal;
  /** Called after each file that was read. */
  readonly onFile: (path: string) => void;
  /** Called after each page that was written. */
  readonly onPage: (path: string) => void;
};

/** An import that has read all files and writes their documents. */
export type Run = ImportOptions & {
  readonly source: Source;
  readonly reading: Reading;
  readonly targets: Targets;
  readonly result: ImportResult;
  /** Ids of documents by the paths of their pages. */
  readonly ids: Map<string, string>;
  readonly attached: Set<string>;
  /** Paths of pages that could not be written although others link to them. */
  readonly failed: Set<string>;
};

/** The result of an import, and the URLs of the documents by the paths of their pages. */
export type Imported = { readonly result: ImportResult; readonly urls: ReadonlyMap<string, string> };
