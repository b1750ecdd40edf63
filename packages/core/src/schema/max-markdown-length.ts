/** The maximum length of a body in Markdown, in UTF-16 units. In a file of its own, because threads for bodies need no schemas. */
export const maxMarkdownLength = 1_500_000;
