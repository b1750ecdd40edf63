import type { z } from "zod";

/** Names the invalid variables, one per line. The message is written for a person at a terminal. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}

/**
 * Reads an app's environment by its schema. An empty variable counts as unset, as in a compose file.
 * @throws {EnvironmentError} that names every problem at once and shows no value, because some are secrets.
 */
export function readEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const present = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== "");
  const parsed = schema.safeParse(Object.fromEntries(present));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.map(String).join(".")}: ${issue.message}`);
  throw new EnvironmentError(`The environment is invalid:\n${lines.join("\n")}\n.env.example explains each variable.`);
}
