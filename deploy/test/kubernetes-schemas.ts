import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { CronJob, Job } from "kubernetes-models/batch/v1";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { Service, ServiceAccount } from "kubernetes-models/v1";
import type { KubernetesObject } from "./helm-chart.ts";
import { deploy } from "./read.ts";

/** Anything with a model's check of an object, which throws for a value that the API would reject. */
type Model = new (data: never) => { validate(): void };
const models: readonly (Model & { readonly apiVersion: string; readonly kind: string })[] = [
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
];

/** Returns what the schemas of the Kubernetes API say against objects, with their kind and name. Unknown fields are found by their types. */
export const schemaErrors = (objects: readonly KubernetesObject[]): string[] => [
  ...objects.flatMap((object) => {
    const model = models.find(({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind);
    return model === undefined ? [`${nameOf(object)}: ${object.apiVersion} is not known`] : valueErrors(model, object);
  }),
  ...typeErrors(objects),
];

const nameOf = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata.name}`;

function valueErrors(model: Model, object: KubernetesObject): string[] {
  try {
    // Constructed without the types of the model, because they are what is checked.
    const instance: { validate(): void } = Reflect.construct(model, [object]);
    instance.validate();
    return [];
  } catch (error) {
    return [`${nameOf(object)}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** The compiler rejects fields that the type of an object does not have, also those that the API would ignore. */
function typeErrors(objects: readonly KubernetesObject[]): string[] {
  // Below the package, where the compiler finds the types.
  const folder = mkdtempSync(join(deploy, "node_modules/.objects-"));
  try {
    const lines = objects.map(
      (object, at) =>
        `export const at${at}: import("kubernetes-models/${object.apiVersion}").I${object.kind} = ${JSON.stringify(object)};`,
    );
    writeFileSync(join(folder, "objects.mts"), lines.join("\n"));
    const options = "--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target es2024 --types";
    const tsc = join(deploy, "../node_modules/.bin/tsc");
    const { status, stdout } = spawnSync(tsc, [...options.split(" "), "", "objects.mts"], {
      cwd: folder,
      encoding: "utf8",
    });
    if (status === 0) return [];
    return stdout
      .split("\n")
      .filter((line) => line.includes("error"))
      .map((line) => line.replace(/^objects\.mts\((\d+),.*?\): /, (_, at) => `${named(objects[Number(at) - 1])}: `));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const named = (object: KubernetesObject | undefined): string => (object === undefined ? "?" : nameOf(object));
