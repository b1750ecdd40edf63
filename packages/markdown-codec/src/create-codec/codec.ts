import type { Schema } from "prosemirror-model";
import type { mapAddresses } from "../addresses.ts";
import type { diff } from "../diff.ts";
import type { append, insertAfterHeading, prepend, replaceSection } from "../edit.ts";
import type { toReadingHtml } from "../html/reading.ts";
import type { toHtml } from "../html.ts";
import type { merge } from "../merge.ts";
import type { normalize } from "../normalize.ts";
import type { outline } from "../outline.ts";
import type { parseMarkdown } from "../parse.ts";
import type { replaceText, replaceTexts } from "../replace.ts";
import type { section } from "../section.ts";
import type { serializeMarkdown } from "../serialize.ts";
import type { toPlainText } from "../text.ts";
import type { validate } from "../validate.ts";
import type { Definitions } from "./definition.ts";

/**
 * The functions of the main entry for documents that have an integrator's nodes and marks, too, but `renameDialect`,
 * `fromDialect` and `isSafeUrl`.
 */
export interface Codec {
  /** The ProseMirror schema with the nodes and marks that were defined. */
  readonly schema: Schema;
  /** The definitions that the codec was made with. */
  readonly definitions: Definitions;
  readonly parseMarkdown: typeof parseMarkdown;
  readonly serializeMarkdown: typeof serializeMarkdown;
  readonly normalize: typeof normalize;
  readonly validate: typeof validate;
  readonly toHtml: typeof toHtml;
  readonly toReadingHtml: typeof toReadingHtml;
  readonly toPlainText: typeof toPlainText;
  readonly outline: typeof outline;
  readonly section: typeof section;
  readonly append: typeof append;
  readonly prepend: typeof prepend;
  readonly insertAfterHeading: typeof insertAfterHeading;
  readonly replaceSection: typeof replaceSection;
  readonly replaceText: typeof replaceText;
  readonly replaceTexts: typeof replaceTexts;
  readonly merge: typeof merge;
  readonly diff: typeof diff;
  readonly mapAddresses: typeof mapAddresses;
}
