const natives = { Request, Response };

/**
 * Gives the process back the classes of requests and answers that it had when this module was evaluated. A server in a test replaces them
 * with its own, of which the answers of `fetch` are no instances.
 */
export function restoreNativeClasses(): void {
  for (const [name, value] of Object.entries(natives))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}
