import type { IncomingMessage } from "node:http";
import { NodeHttpHandler } from "@smithy/node-http-handler";

type Handle = NodeHttpHandler["handle"];

const connectMs = 5_000;
/** Below the minute after which most proxies give up. */
const defaultSilenceMs = 20_000;
/** A line of 1 Mbit/s. */
const slowestBytesPerMs = 128;

/**
 * Sends requests to a store, and ends those that take too long: to connect, to begin an answer, or to continue one. An upload has more
 * time for its bytes. A reader that pauses costs no time.
 */
export class LimitedHandler extends NodeHttpHandler {
  readonly #signal: AbortSignal | undefined;
  readonly #silenceMs: number;

  constructor({
    signal,
    silenceMs,
  }: { readonly signal?: AbortSignal | undefined; readonly silenceMs?: number | undefined }) {
    super({ connectionTimeout: connectMs });
    this.#signal = signal;
    this.#silenceMs = silenceMs ?? defaultSilenceMs;
  }

  override async handle(...[request, options = {}]: Parameters<Handle>): ReturnType<Handle> {
    const late = new AbortController();
    const silenceMs = isCompletion(request) ? joiningFactor * this.#silenceMs : this.#silenceMs;
    const timer = setTimeout(() => late.abort(), silenceMs + sizeOf(request.body) / slowestBytesPerMs);
    const signals = [late.signal, options.abortSignal, isCleanup(request) ? undefined : this.#signal];
    try {
      const abortSignal = AbortSignal.any(signals.filter((signal) => signal instanceof AbortSignal));
      const answer = await super.handle(request, { ...options, abortSignal });
      limitSilence(answer.response.body, this.#silenceMs);
      return answer;
    } catch (error) {
      throw late.signal.aborted ? timeoutError(`no answer within ${seconds(silenceMs)}`) : error;
    } finally {
      clearTimeout(timer);
    }
  }
}

const sizeOf = (body: unknown): number => (body instanceof Uint8Array ? body.byteLength : 0);

/** A store may be silent while it joins the parts of an upload. */
const joiningFactor = 9;
const isCompletion = ({ method, query }: Parameters<Handle>[0]): boolean => method === "POST" && "uploadId" in query;

/** Removes the parts of an upload that ended early, also after the signal. */
const isCleanup = ({ method, query }: Parameters<Handle>[0]): boolean => method === "DELETE" && "uploadId" in query;

/** Destroys an answer that stops before its end, unless its reader has yet to take what arrived. */
function limitSilence(body: IncomingMessage, silenceMs: number): void {
  const { socket } = body;
  const onSilence = (): void => {
    if (!body.isPaused() && body.readableLength === 0)
      body.destroy(timeoutError(`no more bytes for ${seconds(silenceMs)}`));
  };
  socket.setTimeout(silenceMs);
  socket.on("timeout", onSilence);
  body.once("close", () => {
    socket.off("timeout", onSilence);
    socket.setTimeout(0);
  });
}

/** The SDK tries again after an error of this name. */
const timeoutError = (message: string): Error => Object.assign(new Error(message), { name: "TimeoutError" });

const seconds = (ms: number): string => `${ms / 1000} s`;
