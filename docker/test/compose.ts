import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { repository } from "./dockerfile.ts";

const Dependencies = z.record(z.string(), z.strictObject({ condition: z.string() }));

const Service = z.looseObject({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string(), args: z.object({ APP: z.string() }) }).optional(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  depends_on: Dependencies.default({}),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  restart: z.string(),
  read_only: z.boolean().default(false),
  mem_limit: z.string(),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  healthcheck: z.looseObject({ test: z.array(z.string()).optional(), disable: z.boolean().optional() }).optional(),
});

const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
});

/** A service with all variables replaced. */
export type ComposeService = z.output<typeof Service>;

/** The compose file. */
export type ComposeFile = z.output<typeof Compose>;

const composeText = readFileSync(join(repository, "docker/compose.yaml"), "utf8");

/** Reads the file with the variables of an environment. @throws {Error} that names a missing required variable */
export function readCompose(variables: Readonly<Record<string, string>>): ComposeFile {
  return Compose.parse(interpolate(parse(composeText, { merge: true }), variables));
}

function interpolate(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") return fill(value, variables);
  if (Array.isArray(value)) return value.map((each) => interpolate(each, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, interpolate(each, variables)]));
}

/** Replaces `${A:?why}`, `${A:-default}`, `${A}`, and `$$` by a dollar. */
function fill(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\$|\$\{(\w+)(?::([?-])([^}]*))?\}/g, (whole, name?: string, kind?: string, rest = "") => {
    if (whole === "$$") return "$";
    const value = variables[name ?? ""] ?? "";
    if (value !== "") return value;
    if (kind === "?") throw new Error(`${name} is needed: ${rest}`);
    return rest;
  });
}
