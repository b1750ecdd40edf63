import { cpSync, existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Metafile, Plugin } from "esbuild";

const reference = /new URL\("(\.\.?\/[^"]+)", import\.meta\.url\)/g;

/** Folders that bundled modules read at run time, such as migrations, and modules that their worker threads run. */
export type Folders = {
  readonly plugin: Plugin;
  /** Copies the folders of modules in the bundle next to it. */
  place(metafile: Metafile, target: string): void;
  /** Returns the modules that worker threads of the bundle run. The bundle loads each from `.js` files next to it. */
  threadModules(metafile: Metafile): string[];
};

/** Finds `new URL("…", import.meta.url)` of own folders and modules, and redirects it to the place next to the bundle. */
export function foldersOf(workingFolder: string): Folders {
  const readBy = new Map<string, Set<string>>();
  const runBy = new Map<string, string>();
  const plugin: Plugin = {
    name: "folders-beside-the-bundle",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/](?:apps|packages)[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const folders = new Set<string>();
        const contents = readFileSync(path, "utf8").replace(reference, (text, place: string) => {
          if (place.endsWith(".ts")) {
            const module = resolve(dirname(path), place);
            runBy.set(path, module);
            return `new URL("./${basename(module, ".ts")}.js", import.meta.url)`;
          }
          const folder = resolve(dirname(path), place);
          // Excludes caches of development in node_modules.
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
  const bundled = ({ outputs }: Metafile): string[] =>
    Object.values(outputs)
      .flatMap((output) => Object.entries(output.inputs))
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([input]) => resolve(workingFolder, input));
  const place = (metafile: Metafile, target: string): void => {
    for (const input of bundled(metafile)) {
      for (const folder of readBy.get(input) ?? []) {
        const place = join(target, basename(folder));
        // The build of the web app is in its place already.
        if (folder !== place) cpSync(folder, place, { recursive: true });
      }
    }
  };
  const threadModules = (metafile: Metafile): string[] => bundled(metafile).flatMap((input) => runBy.get(input) ?? []);
  return { plugin, place, threadModules };
}
