/** The kinds of things in a source that an import did not understand, with the words of the summary. */
export const findingKinds = {
  unresolved_link: "links to pages or files that the source does not have",
  unresolved_picture: "pictures that the source does not have",
  embedded_page: "embedded pages, shown as links",
  raw_construct: "constructs kept as they are written, shown as code",
  unused_key: "front matter keys that were not used",
  left_out: "parts that a document cannot show, left out",
} as const;

export type FindingKind = keyof typeof findingKinds;

/** Something that an import did not understand, and how often its file has it. */
export type Finding = { readonly path: string; readonly kind: FindingKind; readonly detail: string; count: number };

/** A report of everything that was not understood. */
export type Report = {
  readonly counts: Readonly<Partial<Record<FindingKind, number>>>;
  readonly findings: readonly Finding[];
  /** Findings beyond the maximum, which only the counts include. */
  readonly omitted: number;
};

const maxFindings = 10_000;
const maxDetailLength = 200;

/** Collects what an import did not understand, by kind and file. A source can have any number: at most 10,000 are listed. */
export class Findings {
  readonly #counts: Partial<Record<FindingKind, number>> = {};
  readonly #findings = new Map<string, Finding>();
  #omitted = 0;

  add(kind: FindingKind, path: string, written: string): void {
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1;
    const line = written
      .slice(0, 4 * maxDetailLength)
      .replaceAll(/\s+/g, " ")
      .trim();
    const detail = line.length > maxDetailLength ? `${line.slice(0, maxDetailLength)}…` : line;
    const key = `${kind}\n${path}\n${detail}`;
    const known = this.#findings.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#findings.size < maxFindings) this.#findings.set(key, { path, kind, detail, count: 1 });
    else this.#omitted += 1;
  }

  report(): Report {
    return { counts: this.#counts, findings: [...this.#findings.values()], omitted: this.#omitted };
  }
}
