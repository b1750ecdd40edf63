/** The state of a process: serving, unready or stopping. Health checks and open streams read it. */
export type Lifecycle = {
  /** True once the shutdown has begun: the process still serves, but wants no new requests. */
  readonly stopping: boolean;
  /** Aborted when the process stops serving, so that streams end themselves. */
  readonly signal: AbortSignal;
  /** Reports the process as unready, so that a proxy sends new requests elsewhere. Streams stay open. */
  markUnready(): void;
  /** Reports the process as unready and ends the streams. */
  stop(): void;
};

/** Creates the lifecycle of a process that serves. */
export function createLifecycle(): Lifecycle {
  const controller = new AbortController();
  let stopping = false;
  return {
    get stopping() {
      return stopping;
    },
    signal: controller.signal,
    markUnready: () => {
      stopping = true;
    },
    stop: () => {
      stopping = true;
      controller.abort();
    },
  };
}
