import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cases, type Scene, setScene } from "@kb/core/testing";
import { type Row, serve } from "@kb/http";
import type { Many, One } from "@kb/http/testing";
import { createLifecycle } from "@kb/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandOf } from "../src/pages/example.ts";
import { routes } from "../src/routes.ts";
import { type ExampleAnswer, presentable, unknownFields } from "./example-answer.ts";
import { openSetting, type Setting } from "./setting.ts";

const folder = mkdtempSync(join(tmpdir(), "kb-examples-"));
const run = promisify(execFile);
const longestSeconds = "10";
/** Long enough for the first event of a stream, which never ends. */
const streamSeconds = "3";

/** Operations whose subject is a key of the editor, which nobody else may change. */
const ofTheEditor = new Set(["apiKeys.update"]);

let setting: Setting;
let scene: Scene;
/** Ids that some examples need, and their cases do not have. */
let shared: Readonly<Record<"collectionId" | "groupId" | "tagId", string>>;
let server: Awaited<ReturnType<typeof serve>>;
const origin = "http://localhost:3000";
const rows = routes(origin);

beforeAll(async () => {
  setting = await openSetting();
  scene = await setScene(setting.world);
  const admin = setting.as(await scene.credential("adminSession"));
  const groups = await admin.post<Many<{ id: string; builtIn: string | null }>>("/api/groups.list", {});
  const groupId = groups.body.data.find(({ builtIn }) => builtIn === null)?.id ?? "";
  const tag = await admin.post<One<{ id: string }>>("/api/tags.restrict", {
    name: "secret",
    userIds: [setting.world.people.admin.id],
  });
  shared = { collectionId: scene.collectionId, groupId, tagId: tag.body.data.id };
  const lifecycle = createLifecycle();
  server = await serve({ fetch: setting.app.fetch, hostname: "127.0.0.1", port: 0, lifecycle, drainMs: 1_000 });
});
afterAll(async () => {
  await server?.close();
  await setting?.close();
  rmSync(folder, { recursive: true, force: true });
});

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Returns the variables of the examples: the fields of an input that is right, and what the guide says to set. */
function variablesOf(input: object): Record<string, string> {
  const fields = Object.entries(input).map(([name, value]): [string, unknown] =>
    Array.isArray(value) ? [name.replace(/s$/, ""), value[0]] : [name, isObject(value) ? JSON.stringify(value) : value],
  );
  const plain = fields.filter(([, value]) => typeof value === "string" || typeof value === "number");
  return {
    ...shared,
    ...Object.fromEntries(plain.map(([name, value]) => [name, String(value)])),
  };
}

/** Runs an example as a reader of the page does, in a shell, and returns the status and the answer. */
async function runExample(row: Row): Promise<{ status: number; answer: string }> {
  const input = (await cases[row.name]?.(scene)) ?? {};
  const session = await scene.credential(ofTheEditor.has(row.name) ? "editorSession" : "adminSession");
  const { token, csrf } = typeof session === "object" && session !== null ? session : { token: "", csrf: "" };
  writeFileSync(join(folder, "cookies.txt"), `localhost\tFALSE\t/\tFALSE\t0\tkb_session\t${token}\n`);
  rmSync(join(folder, "answer"), { force: true });
  const seconds = row.isStream ? streamSeconds : longestSeconds;
  const place = `--connect-to localhost:3000:127.0.0.1:${server.port}`;
  const script = `curl() { command curl -q -sS --max-time ${seconds} ${place} -o answer -w "%{http_code}" "$@"; }
${commandOf(row, origin)}`;
  const KEY = String(await scene.credential("adminKey"));
  const TOKEN = String(await scene.credential("channelToken"));
  const env = { PATH: process.env.PATH, KEY, TOKEN, CSRF: csrf, ...variablesOf(input) };
  // A stream ends by the time limit, which curl reports as a failure.
  const stop = (failure: { stdout?: string }): { stdout: string } => ({ stdout: failure.stdout ?? "" });
  const running = run("bash", ["-c", script], { cwd: folder, env });
  const { stdout } = row.isStream ? await running.catch(stop) : await running;
  return { status: Number(stdout), answer: readFileSync(join(folder, "answer"), "utf8") };
}

const answersFile = fileURLToPath(new URL("../src/pages/answers.json", import.meta.url));
const recording = process.env.KB_RECORD_EXAMPLES === "1";
const shownAnswers: Readonly<Record<string, ExampleAnswer>> = recording
  ? {}
  : JSON.parse(readFileSync(answersFile, "utf8"));
const recorded: Record<string, ExampleAnswer> = {};
afterAll(() => {
  if (recording) writeFileSync(answersFile, `${JSON.stringify(recorded, null, 2)}\n`);
});

describe("the examples of the documentation", () => {
  it.each(rows.map((row): [string, Row] => [row.name, row]))(
    "%s runs, and the documentation shows its answer",
    async (_, row) => {
      const { status, answer } = await runExample(row);
      expect(row.statuses, `${commandOf(row, origin)}\n${answer.slice(0, 2_000)}`).toContain(status);
      if (row.isStream || row.bodyType !== "application/json") {
        expect(shownAnswers[row.name]).toBeUndefined();
        return;
      }
      const body: unknown = JSON.parse(answer);
      recorded[row.name] = presentable({ status, body });
      if (recording) return;
      expect(shownAnswers[row.name]?.status).toBe(status);
      expect(unknownFields(shownAnswers[row.name]?.body, body)).toEqual([]);
    },
  );
});
