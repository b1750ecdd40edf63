import type { Node } from "prosemirror-model";
import { mapAddresses } from "./addresses.ts";
import type { Codec } from "./create-codec/codec.ts";
import { constructsOf } from "./create-codec/constructs.ts";
import type { Definitions } from "./create-codec/definition.ts";
import { extensionOf } from "./create-codec/extension.ts";
import { grammarOf, validateContent } from "./create-codec/grammar.ts";
import { ownHtmlOf, withTags } from "./create-codec/html.ts";
import { requireDefinitions } from "./create-codec/require-definitions.ts";
import { requireExamples } from "./create-codec/require-examples.ts";
import { schemaWith } from "./create-codec/schema-with.ts";
import { Session } from "./create-codec/session.ts";
import { diff } from "./diff.ts";
import { append, insertAfterHeading, prepend, replaceSection } from "./edit.ts";
import { pageHtml } from "./html/page.ts";
import { readingHtml } from "./html/reading.ts";
import { outline } from "./outline.ts";
import { replaceText, replaceTexts } from "./replace.ts";
import { section } from "./section.ts";
import { toPlainText } from "./text.ts";
import type { DocJSON } from "./types.ts";
import { validateWith } from "./validate.ts";
import { toDoc } from "./write/document.ts";

export type { Codec } from "./create-codec/codec.ts";
export type {
  Definitions,
  DirectiveSyntax,
  FenceSyntax,
  HtmlElement,
  InlineSyntax,
  LineSyntax,
  MarkDefinition,
  NodeDefinition,
  Translation,
} from "./create-codec/definition.ts";

/**
 * Returns a codec with nodes and marks of your own. `createCodec({})` reads, writes and edits as the main entry does; the
 * codec lacks `headings`, `renameDialect`, `fromDialect` and `isSafeUrl`, and `mapAddresses` does not look into the attributes of your nodes.
 * Every function keeps its contract: it has the options and errors of its namesake in the main entry, and the laws hold
 * (`codecLaws` of `markdown-codec/testing` tries them).
 *
 * @throws CodecError `INVALID_DEFINITION` with the path to the wrong part: a name or a sign that is taken, content that does not
 *   exist, an example whose Markdown or HTML is wrong
 */
export function createCodec(definitions: Definitions): Codec {
  requireDefinitions(definitions);
  const constructs = constructsOf(definitions);
  const schema = schemaWith(definitions);
  const own = ownHtmlOf(constructs);
  const grammar = grammarOf(constructs, definitions.html);
  const session = new Session(constructs, extensionOf(constructs), schema, definitions.html);
  const { edit, fragment } = session;
  const write: Codec["serializeMarkdown"] = (doc, options) => session.write(toDoc(doc), options);
  const textOf = (source: DocJSON | Node | string): string => (typeof source === "string" ? source : write(source));
  const codec: Codec = {
    schema,
    definitions,
    parseMarkdown: (text, options) => session.read(text, options),
    serializeMarkdown: write,
    normalize: (doc) => session.normalize(toDoc(doc)),
    validate: (json, options = {}) => validateContent(validateWith(grammar, json, options), constructs, schema),
    toHtml: (doc, options = {}) => {
      const { doc: tagged, tags } = withTags(doc, constructs);
      return pageHtml(tagged, options, { ...own, marks: tags });
    },
    toReadingHtml: (doc, options = {}) => {
      const { doc: tagged, tags } = withTags(doc, constructs);
      return readingHtml(tagged, options, { ...own, marks: tags });
    },
    toPlainText: (doc, options) => toPlainText(session.inWords(doc), options),
    outline: (doc) => outline(session.inWords(doc)),
    section: (doc, heading) => edit(doc, (plain) => section(plain, heading)),
    append: (doc, added, options) => edit(doc, (plain) => append(plain, fragment(added), options)),
    prepend: (doc, added, options) => edit(doc, (plain) => prepend(plain, fragment(added), options)),
    insertAfterHeading: (doc, heading, added, options) =>
      edit(doc, (plain) => insertAfterHeading(plain, heading, fragment(added), options)),
    replaceSection: (doc, heading, added, options) =>
      edit(doc, (plain) => replaceSection(plain, heading, fragment(added), options)),
    replaceText: (doc, oldText, newText, options) =>
      edit(doc, (plain) => replaceText(plain, oldText, newText, options)),
    replaceTexts: (doc, edits, options) => edit(doc, (plain) => replaceTexts(plain, edits, options)),
    merge: (base, mine, theirs) => session.merge(base, mine, theirs),
    diff: (before, after) => diff(textOf(before), textOf(after)),
    mapAddresses,
  };
  requireExamples(codec, constructs);
  return codec;
}
