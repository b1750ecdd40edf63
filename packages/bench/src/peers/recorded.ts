/** Requests per second of one run, beside the bare handler of that run. */
export type Recorded = {
  readonly floor?: number;
  /** Outline 1.9. */
  readonly outline?: number;
  /** Docmost 0.95. */
  readonly docmost?: number;
};

/**
 * The peers, measured with 2,000 real pages and 20 connections on a machine of the same class: 2 cores, with other work beside.
 * Figures are the middle of several runs. The list of Docmost has no texts.
 */
export const recorded = {
  get: { floor: 7_550, outline: 88, docmost: 325 },
  list: { floor: 4_800, outline: 32, docmost: 307 },
  commonWord: { floor: 402, outline: 19, docmost: 61 },
  rareWord: { outline: 11 },
  chineseWord: { floor: 283, docmost: 95 },
  create: { floor: 5_017, outline: 22, docmost: 33 },
  append: { floor: 3_620, outline: 36, docmost: 20 },
  patch: {},
} as const satisfies Record<string, Recorded>;
