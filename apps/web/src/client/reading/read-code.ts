import { languageNamed } from "./code-languages.ts";
import type { ColoredPart } from "./tokens.ts";
import type { CodeAnswer, ReadCode } from "./tokens-worker.ts";
import address from "./tokens-worker.ts?worker&url";
import { trustedPolicy } from "./trusted.ts";

const policy = trustedPolicy("kb-worker", { createScriptURL: (url: string): string => url });

/** The largest block that is coloured, in characters. */
export const maxBlockLength = 20_000;

/** The longest time for which a text is read. One that takes longer has no colors. */
const limitMs = 2_000;

let worker: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Returns the coloured parts of code, in order, which a worker reads beside the page, one block after the other: some texts take its
 * patterns seconds. None for a language that is not known, for a block that is too large, and for one that takes too long.
 * @throws {Error} if the worker or the language did not load
 */
export function partsOfCode(text: string, languageName: string): Promise<readonly ColoredPart[]> {
  const language = languageNamed(languageName);
  if (language === undefined || text.length > maxBlockLength) return Promise.resolve([]);
  const parts = last.then(() => read({ text, language }));
  last = parts.catch(() => undefined);
  return parts;
}

function read(code: ReadCode): Promise<readonly ColoredPart[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly ColoredPart[]>();
  worker ??= new Worker(policy.createScriptURL(address), { type: "module" });
  const current = worker;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    worker = undefined;
    current.terminate();
  };
  current.onmessage = ({ data }: MessageEvent<CodeAnswer>) => {
    if (data === "reading") {
      timer = setTimeout(() => {
        end();
        resolve([]);
      }, limitMs);
      return;
    }
    clearTimeout(timer);
    if (data === "failed") {
      // A module that failed to load fails again in the same worker.
      end();
      reject(new Error(`The colors of ${code.language} were not loaded`));
    } else resolve(data);
  };
  current.onerror = () => {
    clearTimeout(timer);
    end();
    reject(new Error("The colors of code were not loaded"));
  };
  current.postMessage(code);
  return promise;
}
