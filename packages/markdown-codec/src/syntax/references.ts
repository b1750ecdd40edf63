/** A definition of a link, as markdown-it keeps it. */
interface Definition {
  readonly href: string;
  readonly title: string;
}

/** The definitions of links that a text has, by label. */
export interface References {
  [label: string]: Definition;
}

/** The labels of the definitions that nothing has used yet: from here on one that is read counts as used. */
export function watchReferences(references: References = {}): ReadonlySet<string> {
  const unused = new Set<string>();
  for (const [label, { href, title }] of Object.entries(references)) {
    unused.add(label);
    references[label] = {
      title,
      get href(): string {
        unused.delete(label);
        return href;
      },
    };
  }
  return unused;
}
