/** Whether the process serves or stops; made by `main`, read by health and by everything that keeps a stream open. */
export type Lifecycle = {
  /** From the first word of the stop on: the process still serves, but wants no new requests. */
  readonly stopping: boolean;
  /** Aborted when the process stops serving: streams end themselves by it. */
  readonly signal: AbortSignal;
  /** Says unready, so that a proxy sends new requests elsewhere; streams stay open. */
  leave(): void;
  /** Ends the streams. */
  stop(): void;
};

/** A lifecycle that has begun. */
export function createLifecycle(): Lifecycle {
  const controller = new AbortController();
  let leaving = false;
  return {
    get stopping() {
      return leaving;
    },
    signal: controller.signal,
    leave: () => {
      leaving = true;
    },
    stop: () => {
      leaving = true;
      controller.abort();
    },
  };
}
