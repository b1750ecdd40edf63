/** One value of a scrape. */
export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** What `/metrics` said. */
export type Scrape = {
  readonly samples: readonly Sample[];
  /** The sum of the samples of that name which have all of these labels; 0 where there is none. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number;
};

const name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const label = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"`;
const sampleLine = new RegExp(
  `^(${name})(?:\\{(${label}(?:,${label})*)?,?\\})? (-?\\d[\\d.]*(?:e[+-]?\\d+)?|[+-]Inf|NaN)$`,
);
const commentLine = new RegExp(`^# (?:HELP ${name} .*|TYPE ${name} (?:counter|gauge|histogram|summary|untyped))$`);

/** Reads the text form of Prometheus (version 0.0.4). @throws {Error} for a line that is none of it. */
export function readScrape(text: string): Scrape {
  const samples = text.split("\n").flatMap((line) => {
    if (line === "" || commentLine.test(line)) return [];
    const match = sampleLine.exec(line);
    if (match === null) throw new Error(`no line of Prometheus: ${line}`);
    return [{ name: match[1] ?? "", labels: labelsOf(match[2] ?? ""), value: numberOf(match[3] ?? "") }];
  });
  return {
    samples,
    sum: (wanted, labels = {}) =>
      samples
        .filter((sample) => sample.name === wanted)
        .filter((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
        .reduce((sum, { value }) => sum + value, 0),
  };
}

function labelsOf(text: string): Record<string, string> {
  const found = text.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g);
  return Object.fromEntries([...found].map(([, key, value]) => [key, value]));
}

const numberOf = (text: string): number => (text.endsWith("Inf") ? Number(`${text}inity`) : Number(text));
