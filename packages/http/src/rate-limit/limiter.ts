/** What may be taken: so many within a window that slides, for each key. */
export type Allowance = { readonly key: string; readonly limit: number; readonly windowMs: number };

/** The answer of a limiter. */
export type Verdict = {
  readonly allowed: boolean;
  /** How many more may be taken now. */
  readonly remaining: number;
  /** Until the oldest one taken leaves the window, in milliseconds: the next moment at which more is allowed. */
  readonly resetMs: number;
};

/** Counts exactly, under any concurrency: of the takings in any one window never more than the limit are allowed. */
export type Limiter = {
  /** Takes one. What is refused is not counted: who waits for `resetMs` succeeds. */
  take(allowance: Allowance): Promise<Verdict>;
};
