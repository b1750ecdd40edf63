type Opening = typeof import("./open-again.ts");

let loaded: Opening | undefined;

/** Loads what opens a document again: few pages ever have to, and it compares whole documents. Rejects where it does not come. */
export async function loadOpenAgain(): Promise<Opening> {
  loaded ??= await import("./open-again.ts");
  return loaded;
}

/** `openAgain`, as soon as it is loaded. */
export const openAgain: Opening["openAgain"] = async (...options) =>
  (loaded ?? (await loadOpenAgain())).openAgain(...options);
