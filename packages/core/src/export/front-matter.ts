import { stringify } from "yaml";

/** The metadata of a document before its text. */
export type Facts = {
  readonly title: string;
  readonly emoji: string | null;
  readonly tags: readonly string[];
  readonly publishedAt: Date | null;
};

/** Returns YAML between two fences, which `kb import` reads back. Marks drafts. */
export function frontMatter({ title, emoji, tags, publishedAt }: Facts): string {
  const fields = {
    title,
    ...(emoji === null ? {} : { emoji }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(publishedAt === null ? { draft: true } : {}),
  };
  // Values never span several lines, so that no title looks like the fence.
  return `---\n${stringify(fields, { lineWidth: 0, blockQuote: false })}---\n`;
}
