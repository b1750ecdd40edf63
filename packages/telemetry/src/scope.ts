import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "./telemetry.ts";

/** What the database cost one request or delivery so far; times in milliseconds. */
export type Tally = { statements: number; sqlMs: number; poolWaitMs: number };

/** Whatever is done here, is done for this. */
export type Scope = {
  /** Undefined where nobody asks what it costs. */
  readonly tally: Tally | undefined;
  /** The span that is a parent of those that begin here. */
  readonly span: Span | undefined;
};

const scopes = new AsyncLocalStorage<Scope>();

/** What is done at this moment is done for whom; undefined outside of any request or delivery. */
export const currentScope = (): Scope | undefined => scopes.getStore();

/** Runs `work`, and all that it waits for, in a scope of its own. */
export const inScope = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work);

/** Runs `work` below a span; its costs go where they went before. */
export const withSpan = <T>(span: Span, work: () => T): T => inScope({ tally: currentScope()?.tally, span }, work);

/** An empty tally. */
export const newTally = (): Tally => ({ statements: 0, sqlMs: 0, poolWaitMs: 0 });
