/** Whether the process serves or stops; made by `main`, read by health and by everything that keeps a stream open. */
export type Lifecycle = {
  readonly stopping: boolean;
  /** Aborted when the process stops: streams end themselves by it. */
  readonly signal: AbortSignal;
  stop(): void;
};

/** A lifecycle that has begun. */
export function createLifecycle(): Lifecycle {
  const controller = new AbortController();
  return {
    get stopping() {
      return controller.signal.aborted;
    },
    signal: controller.signal,
    stop: () => controller.abort(),
  };
}
