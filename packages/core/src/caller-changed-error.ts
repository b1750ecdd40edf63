/** The caller is another than the one with which the operation ran, or nobody: run it again as the current one. */
export class CallerChangedError extends Error {
  override readonly name = "CallerChangedError";
}
