import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "./telemetry.ts";

/** The database work of one request or delivery so far; times in milliseconds. */
export type Tally = { statements: number; sqlMs: number; poolWaitMs: number };

/** The request or delivery that the running code works for. */
export type Scope = {
  /** Undefined where no cost is measured. */
  readonly tally: Tally | undefined;
  /** The parent of the spans that begin in this scope. */
  readonly span: Span | undefined;
};

const scopes = new AsyncLocalStorage<Scope>();

/** Returns the scope of the running code; undefined outside of any request or delivery. */
export const currentScope = (): Scope | undefined => scopes.getStore();

/** Runs `work`, including everything it awaits, in a scope. */
export const inScope = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work);

/** Runs `work` below a span, in the tally of the current scope. */
export const withSpan = <T>(span: Span, work: () => T): T => inScope({ tally: currentScope()?.tally, span }, work);

/** Creates an empty tally. */
export const newTally = (): Tally => ({ statements: 0, sqlMs: 0, poolWaitMs: 0 });
