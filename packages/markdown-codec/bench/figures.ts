import { readFileSync } from "node:fs";

/** A figure with about three digits. */
export function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** One sentence: the version of Node, and those of the packages as installed here. */
export function versionsOf(names: readonly string[]): string {
  return `Node ${process.versions.node}; ${names.map((name) => `${name} ${versionOf(name)}`).join(", ")}.`;
}

function versionOf(name: string): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8"),
  );
  return typeof manifest === "object" && manifest && "version" in manifest ? String(manifest.version) : "?";
}
