/** One sample of a scrape. */
export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** Parsed response of `/metrics`. */
export type Scrape = {
  readonly samples: readonly Sample[];
  /** Returns the sum of the samples with this name and all of these labels; 0 if there are none. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number;
};

const name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const label = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"`;
const sampleLine = new RegExp(
  `^(${name})(?:\\{(${label}(?:,${label})*)?,?\\})? (-?\\d[\\d.]*(?:e[+-]?\\d+)?|[+-]Inf|NaN)$`,
);
const commentLine = new RegExp(`^# (?:HELP ${name} .*|TYPE ${name} (?:counter|gauge|histogram|summary|untyped))$`);

/** Parses the Prometheus text format (version 0.0.4). @throws {Error} for an invalid line */
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
