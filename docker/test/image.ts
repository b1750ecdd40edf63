import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { copyContext } from "./build-context.ts";
import { assignmentsOf, commandOf, dockerfileText, repository, type Stage, type Step, stagesOf } from "./dockerfile.ts";

/** An image of the Dockerfile, in a folder that represents its root. */
export type Image = {
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly healthcheck: readonly string[];
  readonly volumes: readonly string[];
};

type Layer = { -readonly [Key in keyof Image]: Image[Key] } & { args: Record<string, string> };

/** The build arguments, and what ends the build after the step that it is at. */
type BuildOptions = { readonly args: Readonly<Record<string, string>>; readonly signal: AbortSignal };

const run = promisify(execFile);

/** The variables of this machine that the build may use: those of the package registry. */
const ofTheBuildMachine = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^HOME$|CERT|_CA_|SSL|PROXY|REGISTRY|^npm_config_/i.test(name)),
);

/** The program of this machine that replaces the one of the base image. */
const nodeFolder = dirname(process.execPath);

/**
 * Builds the images of apps without a container engine: runs the commands of each stage of the Dockerfile in an empty folder, with the
 * paths of the image below it. The stages before the first that knows the app are built once.
 */
export async function buildImages(
  apps: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<Map<string, Image>> {
  const { stages, defaults } = stagesOf(dockerfileText);
  if (!defaults.has("NODE")) throw new Error("the base has no version");
  const ofAnApp = stages.findIndex(({ steps }) =>
    steps.some(({ keyword, text }) => keyword === "ARG" && text === "APP"),
  );
  const shared = await buildStages(stages.slice(0, ofAnApp), folder, new Map(), { args: {}, signal });
  const images = new Map<string, Image>();
  for (const app of apps) {
    const built = await buildStages(stages.slice(ofAnApp), join(folder, app), shared, { args: { APP: app }, signal });
    const last = [...built.values()].at(-1);
    if (last === undefined) throw new Error("the Dockerfile has no stage");
    await makeReadOnly(join(last.root, last.workdir));
    images.set(app, last);
  }
  return images;
}

/** Builds stages in order; returns them beside those that were built before. */
async function buildStages(
  stages: readonly Stage[],
  folder: string,
  before: ReadonlyMap<string, Layer>,
  options: BuildOptions,
): Promise<Map<string, Layer>> {
  const built = new Map(before);
  for (const stage of stages) built.set(stage.name, await buildStage(stage, join(folder, stage.name), built, options));
  return built;
}

async function buildStage(
  { base, steps }: Stage,
  root: string,
  built: ReadonlyMap<string, Layer>,
  { args, signal }: BuildOptions,
): Promise<Layer> {
  // A stage works in the folder of the one that it extends, where it also finds the bundles of earlier apps: a copy takes long.
  const layer = built.has(base) ? { ...layerOf(base, built), args: {} } : emptyLayer(base, root);
  mkdirSync(layer.root, { recursive: true });
  for (const step of steps) {
    signal.throwIfAborted();
    await apply(step, layer, built, args);
  }
  return layer;
}

function layerOf(name: string, built: ReadonlyMap<string, Layer>): Layer {
  const layer = built.get(name);
  if (layer === undefined) throw new Error(`there is no stage ${name}`);
  return layer;
}

function emptyLayer(base: string, root: string): Layer {
  if (!base.startsWith("node:")) throw new Error(`${base} is not the base that this stands in for`);
  return { root, workdir: "/", env: {}, args: {}, user: "", entrypoint: [], healthcheck: [], volumes: [] };
}

async function apply(
  step: Step,
  layer: Layer,
  built: ReadonlyMap<string, Layer>,
  given: Readonly<Record<string, string>>,
): Promise<void> {
  const { keyword, text } = step;
  if (keyword === "ARG") layer.args = { ...layer.args, [text]: given[text] ?? "" };
  else if (keyword === "ENV") layer.env = { ...layer.env, ...Object.fromEntries(assignmentsOf(text)) };
  else if (keyword === "WORKDIR") {
    layer.workdir = text;
    mkdirSync(join(layer.root, text), { recursive: true });
  } else if (keyword === "COPY") copy(step, layer, built);
  else if (keyword === "RUN") await execute(step, layer);
  else if (keyword === "USER") layer.user = text;
  else if (keyword === "VOLUME") layer.volumes = [...layer.volumes, text];
  else if (keyword === "ENTRYPOINT") layer.entrypoint = commandOf(text);
  else if (keyword === "HEALTHCHECK") layer.healthcheck = commandOf(text.replace(/^CMD\s+/, ""));
  else if (keyword !== "LABEL" && keyword !== "EXPOSE") throw new Error(`${keyword} is not known here`);
}

function copy(step: Step, layer: Layer, built: ReadonlyMap<string, Layer>): void {
  const [source = "", target = ""] = step.text
    .replaceAll(/\$\{(\w+)\}/g, (_, name: string) => layer.args[name] ?? "")
    .split(" ");
  const place = join(layer.root, target.startsWith("/") ? target : join(layer.workdir, target));
  const from = step.flags.get("from");
  if (from !== undefined)
    cpSync(join(layerOf(from, built).root, source), place, { recursive: true, verbatimSymlinks: true });
  else if (source === ".") copyContext(place);
  else cpSync(join(repository, source), place, { recursive: true });
}

async function execute({ text, flags }: Step, layer: Layer): Promise<void> {
  const cache = /type=cache,target=([^,\s]+)/.exec(flags.get("mount") ?? "")?.[1];
  const places = new Map([["/data", join(layer.root, "data")]]);
  if (cache !== undefined) places.set(cache, packageStore());
  const ours = process.getuid?.() === 0 ? "1000" : String(process.getuid?.());
  const command = [...places]
    .reduce(
      (words, [inside, outside]) => words.replaceAll(new RegExp(`(?<=\\s)${inside}(?=\\s|$)`, "g"), outside),
      text,
    )
    .replaceAll("=1000", `=${ours}`);
  const env = { ...ofTheBuildMachine, PATH: `${nodeFolder}:${process.env.PATH}`, ...layer.env, ...layer.args };
  await run("sh", ["-c", command], { cwd: join(layer.root, layer.workdir), env, maxBuffer: 16 * 1024 * 1024 });
}

/** The package store of this machine's pnpm, which replaces the cache of a build machine. */
function packageStore(): string {
  const facts: unknown = parse(readFileSync(join(repository, "node_modules/.modules.yaml"), "utf8"));
  const folder = typeof facts === "object" && facts !== null && "storeDir" in facts ? String(facts.storeDir) : "";
  return dirname(folder);
}

/** Removes write permissions below a folder, as on a read-only file system. */
async function makeReadOnly(folder: string): Promise<void> {
  await run("chmod", ["-R", "a-w,a+rX", folder]);
  chmodSync(dirname(folder), 0o755);
}
