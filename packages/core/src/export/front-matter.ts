import { stringify } from "yaml";

/** What a document says of itself before its text. */
export type Facts = {
  readonly title: string;
  readonly emoji: string | null;
  readonly tags: readonly string[];
  readonly publishedAt: Date | null;
};

/** YAML between two fences; `kb import` reads it back. A draft says that it is one. */
export function frontMatter({ title, emoji, tags, publishedAt }: Facts): string {
  const fields = {
    title,
    ...(emoji === null ? {} : { emoji }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(publishedAt === null ? { draft: true } : {}),
  };
  // Never over several lines: no title can then look like the fence.
  return `---\n${stringify(fields, { lineWidth: 0, blockQuote: false })}---\n`;
}
