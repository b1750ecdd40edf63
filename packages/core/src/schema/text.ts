import { z } from "zod";

/** Longest body in Markdown, in UTF-16 units; over it the answer is 413. */
export const maxMarkdownLength = 1_500_000;

/** Any C0 control but tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the purpose.
const controls = /[\u0000-\u0008\u000b-\u001f]/;

/** A string as people type it: no control characters, no half of a surrogate pair. */
export const Text = z
  .string()
  .refine((text) => !controls.test(text), "Control characters are not allowed")
  .refine((text) => text.isWellFormed(), "Unpaired surrogates are not allowed");

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** Text of so many code points; JSON Schema counts the same way. */
function bounded(minimum: number, maximum: number) {
  return Text.refine((text) => text.length <= maximum || codePoints(text) <= maximum, `At most ${maximum} characters`)
    .refine((text) => text.length >= minimum, minimum === 1 ? "Must not be empty" : `At least ${minimum} characters`)
    .meta({ maxLength: maximum, ...(minimum > 0 ? { minLength: minimum } : {}) });
}

/** Longest title, in code points. */
export const maxTitleLength = 255;

/** A document's title; nothing but white space means `Untitled`. */
export const Title = bounded(0, maxTitleLength).transform((title) => (title.trim() === "" ? "Untitled" : title));

/** A collection's name: 1 to 255 characters, not only white space. */
export const CollectionName = bounded(1, 255).refine((name) => name.trim() !== "", "Must not be empty");

export const Description = bounded(0, 10_000);

/** What is searched for: 1 to 500 characters, not only white space. */
export const SearchQuery = bounded(0, 500)
  .refine((query) => query.trim() !== "", "Must not be empty")
  .meta({ maxLength: 500, minLength: 1 });

/** One emoji (one grapheme that is drawn as a picture). */
export const Emoji = Text.refine((text) => isEmoji(text), "Must be one emoji").meta({ maxLength: 64 });

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const pictograph = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3/u;

function isEmoji(text: string): boolean {
  if (text.length === 0 || text.length > 64 || !pictograph.test(text)) return false;
  return [...graphemes.segment(text)].length === 1;
}

/** One emoji, or the name of an icon. */
export const Icon = Text.refine((text) => /^[a-z0-9-]{1,64}$/.test(text) || isEmoji(text), {
  message: "Must be one emoji or a name of a-z, 0-9 and - (at most 64 characters)",
});

/** `#rgb` or `#rrggbb` in any case; stored as lower-case `#rrggbb`. */
export const Color = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, "Must be #rgb or #rrggbb")
  .transform((color) => {
    const digits = color.slice(1).toLowerCase();
    return `#${digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits}`;
  });

const maxTagLength = 64;

/** How a tag's name is stored and compared: NFKC, lower case, trimmed, white space folded. */
export function normalizeTagName(name: string): string {
  return name.normalize("NFKC").toLowerCase().normalize("NFKC").replaceAll(/\s+/g, " ").trim();
}

/** A tag's name, in its normal form. */
export const TagName = Text.transform(normalizeTagName)
  .refine((name) => name.length > 0, "Must not be empty")
  .refine((name) => codePoints(name) <= maxTagLength, `At most ${maxTagLength} characters`)
  .refine((name) => !name.includes(","), "Must not contain a comma");

/** Most tags that a document carries. */
export const maxTags = 50;

/** A document's tags, in their normal form, each once. */
export const TagNames = z
  .array(TagName)
  .transform((names) => [...new Set(names)].sort())
  .refine((names) => names.length <= maxTags, `At most ${maxTags} tags a document`);

/** Where a document stands among others. Within these bounds a number is stored exactly. */
export const SortOrder = z.number().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** An id as a caller gives it: any UUID, of whatever version. */
export const Id = z.guid().transform((id) => id.toLowerCase());

/** A Markdown body. Whatever it holds is repaired by the codec; only its length is bounded (see `prepareBody`). */
export const Markdown = z.string();

/** Editor JSON; the codec validates it. */
export const EditorJson = z.record(z.string(), z.unknown());

/** An instant with its zone, as ISO 8601. */
export const Instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** How a moment is shown: ISO 8601, UTC, milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 });

export const timestamp = (at: Date): string => at.toISOString();
export const timestampOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;
