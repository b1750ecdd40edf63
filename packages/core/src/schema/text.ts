import { z } from "zod";
import { withoutInvisible } from "./visible-text.ts";

/** Every C0 control character except tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the purpose.
const controls = /[\u0000-\u0008\u000b-\u001f]/;

/** A text without control characters and unpaired surrogates. */
export const Text = z
  .string()
  .refine((text) => !controls.test(text), "Control characters are not allowed")
  .refine((text) => text.isWellFormed(), "Unpaired surrogates are not allowed");

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** Returns whether a text has at most `maximum` code points. Counts them only if its length leaves that open. */
const isWithin = (text: string, maximum: number): boolean =>
  text.length <= maximum || (text.length <= 2 * maximum && codePoints(text) <= maximum);

/** Returns a text schema with limits in code points, as JSON Schema counts them. */
function bounded(minimum: number, maximum: number) {
  return Text.refine((text) => isWithin(text, maximum), `At most ${maximum} characters`)
    .refine((text) => text.length >= minimum, minimum === 1 ? "Must not be empty" : `At least ${minimum} characters`)
    .meta({ maxLength: maximum, ...(minimum > 0 ? { minLength: minimum } : {}) });
}

/** The maximum length of a title, in code points. */
export const maxTitleLength = 255;

/** A document's title, trimmed, so that an export and its import agree on it. A blank one becomes `Untitled`. */
export const Title = bounded(0, maxTitleLength).transform((title) => title.trim() || "Untitled");

/** A collection's name: 1 to 255 characters, not blank, without invisible characters. */
export const CollectionName = bounded(1, 255)
  .transform(withoutInvisible)
  .refine((name) => name.trim() !== "", "Must not be empty");

/** A description: at most 10,000 characters. */
export const Description = bounded(0, 10_000);

/** A search query: 1 to 500 characters, not blank. */
export const SearchQuery = bounded(0, 500)
  .refine((query) => query.trim() !== "", "Must not be empty")
  .meta({ maxLength: 500, minLength: 1 });

/** One emoji: a single grapheme that is shown as a picture. */
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

/**
 * Returns the form in which tag names are stored and compared: without invisible characters, NFKC, lower case, trimmed,
 * with white space collapsed.
 */
export function normalizeTagName(name: string): string {
  return withoutInvisible(name.normalize("NFKC")).toLowerCase().normalize("NFKC").replaceAll(/\s+/g, " ").trim();
}

/** The maximum length of a name before it is normalized: combining characters and spaces may disappear. */
const maxRawTagLength = 1_000;

/** A tag's name, in its normal form. */
export const TagName = z
  .string()
  .refine((name) => name.length <= maxRawTagLength, { message: `At most ${maxTagLength} characters`, abort: true })
  .pipe(Text)
  .transform(normalizeTagName)
  .refine((name) => name.length > 0, "Must not be empty")
  .refine((name) => isWithin(name, maxTagLength), `At most ${maxTagLength} characters`)
  .refine((name) => !name.includes(","), "Must not contain a comma");

/** The maximum number of tags on a document. */
export const maxTags = 50;

/** The maximum number of tags before duplicates are removed from them. */
const maxRawTags = 4 * maxTags;

/** The tags of a document in their normal form, without duplicates. */
export const TagNames = z
  .array(z.string())
  .refine((names) => names.length <= maxRawTags, { message: `At most ${maxTags} tags per document`, abort: true })
  .pipe(z.array(TagName))
  .transform((names) => [...new Set(names)].sort())
  .refine((names) => names.length <= maxTags, `At most ${maxTags} tags per document`);

/** The position of a document among its siblings. Numbers within these bounds are stored exactly. */
export const SortOrder = z.number().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** An id from a caller: a UUID of any version. */
export const Id = z.guid().transform((id) => id.toLowerCase());

/** A Markdown body. The codec repairs any content; only its length is limited (see `prepareBody`). */
export const Markdown = z.string();

/** Editor JSON; the codec validates it. */
export const EditorJson = z.record(z.string(), z.unknown());

/** An instant with its zone, as ISO 8601. */
export const Instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** An instant with its zone, or a date, which stands for its start in UTC. */
export const InstantOrDate = z.union(
  [z.iso.date().transform((text) => new Date(`${text}T00:00:00Z`)), Instant],
  "Must be a date, such as 2026-01-31, or a time with its zone, such as 2026-01-31T12:00:00Z",
);

/** A time in a response: ISO 8601, UTC, with milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 });

/** Returns a time as responses show it. */
export const timestamp = (at: Date): string => at.toISOString();
/** Returns a time as responses show it; null stays null. */
export const timestampOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;
