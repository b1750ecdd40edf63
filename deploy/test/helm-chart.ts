import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { deploy } from "./read.ts";

/** An object of Kubernetes. */
const KubernetesObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
});
export type KubernetesObject = z.output<typeof KubernetesObject>;

/** Runs Helm with the values of an installation. Returns its exit code and output. */
function helm(args: readonly string[], values: unknown): { code: number | null; output: string; errors: string } {
  const home = mkdtempSync(join(tmpdir(), "kb-helm-"));
  try {
    const { error, status, stdout, stderr } = spawnSync("helm", [...args, "--values", "-"], {
      cwd: join(deploy, "helm"),
      input: JSON.stringify(values),
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: home },
      maxBuffer: 16_000_000,
    });
    if (error !== undefined) throw error;
    return { code: status, output: stdout, errors: stderr };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Returns what `helm lint` finds, strictly. */
export function lintChart(values: unknown): { code: number | null; output: string } {
  return helm(["lint", "kb", "--strict"], values);
}

/** Renders the chart as release `wiki` in namespace `team`. @throws {Error} with the message of Helm for values that it refuses */
export function renderChart(values: unknown): KubernetesObject[] {
  const { code, output, errors } = helm(["template", "wiki", "kb", "--namespace", "team"], values);
  if (code !== 0) throw new Error(errors);
  return parseAllDocuments(output).map((document) => {
    if (!("errors" in document) || document.errors.length > 0) throw new Error(`Not YAML: ${document.errors[0]}`);
    return KubernetesObject.parse(document.toJS());
  });
}

/** Returns the notes that an installation ends with. */
export const notesOf = (values: unknown): string =>
  helm(["install", "wiki", "kb", "--namespace", "team", "--dry-run=client"], values).output.split("NOTES:\n")[1] ?? "";
