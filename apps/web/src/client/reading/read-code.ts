import { languageNamed } from "./code-languages.ts";
import type { ColoredPart } from "./tokens.ts";
import type { CodeAnswer, ReadCode } from "./tokens-worker.ts";
import address from "./tokens-worker.ts?worker&url";
import { trustedPolicy } from "./trusted.ts";

const policy = trustedPolicy("kb-worker", { createScriptURL: (url: string): string => url });

/** The largest block that is coloured, in characters. */
const maxBlockLength = 20_000;

/** The longest time for which a text is read. */
const readingMs = 2_000;
/** The longest time for which the worker and a language load. */
const loadingMs = 20_000;
/** A worker that had nothing to read for this time ends. */
const idleMs = 60_000;

let worker: Worker | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Returns the coloured parts of code, in order, which a worker reads beside the page, one block after the other: some texts take its
 * patterns seconds. None for a language that is not known, for a block that is too large, and for one that is not wanted any more
 * when its turn comes; `slow` for one that takes too long.
 * @throws {Error} if the worker or the language did not load
 */
export function partsOfCode(
  text: string,
  languageName: string,
  isWanted: () => boolean,
): Promise<readonly ColoredPart[] | "slow"> {
  const language = languageNamed(languageName);
  if (language === undefined || text.length > maxBlockLength) return Promise.resolve([]);
  const parts = last.then(() => (isWanted() ? read({ text, language }) : []));
  last = parts.catch(() => undefined);
  return parts;
}

function read(code: ReadCode): Promise<readonly ColoredPart[] | "slow"> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly ColoredPart[] | "slow">();
  clearTimeout(idle);
  worker ??= new Worker(policy.createScriptURL(address), { type: "module" });
  const current = worker;
  const fail = (): void => {
    end();
    reject(new Error(`The colors of ${code.language} were not loaded`));
  };
  let timer = setTimeout(fail, loadingMs);
  const end = (): void => {
    clearTimeout(timer);
    current.onmessage = null;
    current.onerror = null;
    current.terminate();
    worker = undefined;
  };
  current.onmessage = ({ data }: MessageEvent<CodeAnswer>) => {
    clearTimeout(timer);
    if (data === "reading") {
      timer = setTimeout(() => {
        end();
        resolve("slow");
      }, readingMs);
    } else if (data === "failed") {
      // A module that failed to load fails again in the same worker.
      fail();
    } else {
      idle = setTimeout(end, idleMs);
      resolve(data);
    }
  };
  current.onerror = fail;
  current.postMessage(code);
  return promise;
}
