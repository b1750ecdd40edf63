import { cpSync, existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Metafile, Plugin } from "esbuild";

const reference = /new URL\("(\.\.?\/[^"]+)", import\.meta\.url\)/g;

/** Folders of files that the bundled modules read at run time: migrations, texts. */
export type Folders = {
  readonly plugin: Plugin;
  /** Copies those whose readers are in the bundle to where the bundle looks for them: beside it. */
  place(metafile: Metafile, target: string): void;
};

/** Follows `new URL("../folder", import.meta.url)` wherever it names a folder of the repository. */
export function foldersOf(workingFolder: string): Folders {
  const readBy = new Map<string, Set<string>>();
  const plugin: Plugin = {
    name: "folders-beside-the-bundle",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/](?:apps|packages)[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const folders = new Set<string>();
        const contents = readFileSync(path, "utf8").replace(reference, (text, place: string) => {
          const folder = resolve(dirname(path), place);
          // A cache of the development is no file of the program.
          const isOurs = existsSync(folder) && statSync(folder).isDirectory() && !folder.includes("node_modules");
          if (!isOurs) return text;
          folders.add(folder);
          return `new URL("./${basename(folder)}${place.endsWith("/") ? "/" : ""}", import.meta.url)`;
        });
        if (folders.size > 0) readBy.set(path, folders);
        return { contents, loader: "ts" };
      });
    },
  };
  const place = ({ outputs }: Metafile, target: string): void => {
    const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
    for (const [input, { bytesInOutput }] of inputs) {
      if (bytesInOutput === 0) continue;
      for (const folder of readBy.get(resolve(workingFolder, input)) ?? []) {
        cpSync(folder, join(target, basename(folder)), { recursive: true });
      }
    }
  };
  return { plugin, place };
}
