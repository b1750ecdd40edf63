import {
  abbreviated,
  budgetOf,
  type Column,
  cases,
  cells,
  operationNames,
  type Scene,
  type StatementLog,
  setScene,
  statementLog,
} from "@kb/core/testing";
import type { ConnectOptions } from "@kb/db";
import { statusOf } from "@kb/http";
import { api, callOverRest, type Route, routesOf } from "@kb/http/testing";
import { fewestOf } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

const likelyCallers: readonly Column[] = ["adminSession", "editorSession", "channelToken"];

/** Finds the caller of a request, or records the use of the credential, which happens at most once a minute. */
const authenticates = /FROM (browser_sessions s|channel_tokens k)\b|^UPDATE .*(browser_sessions|channel_tokens)/;

/** Returns false for a stream: it reads on after its operation has returned. */
const answersJson = ({ operation }: Route): boolean =>
  Object.entries(operation.responses ?? {}).some(
    ([status, response]) => status < "300" && "content" in response && "application/json" in (response.content ?? {}),
  );

describe("the statements of a request", () => {
  let log: StatementLog;
  let setting: Setting;
  let scene: Scene;
  let routes: ReadonlyMap<string, Route>;
  let trips = 0;
  let lookUpsAlone = 0;
  beforeAll(async () => {
    log = statementLog();
    const onQuery: NonNullable<ConnectOptions["onQuery"]> = (text, _values, beginsTrip) => {
      log.onQuery(text);
      if (beginsTrip && text.includes("FROM api_keys k JOIN users u")) lookUpsAlone += 1;
      if (beginsTrip) trips += 1;
    };
    setting = await openSetting({ connect: { onQuery } });
    scene = await setScene(setting.world);
    const described = routesOf(await (await setting.app.request("/openapi.json")).json());
    routes = new Map(described.map((route) => [String(route.operation.operationId), route]));
  });
  afterAll(() => setting.close());

  it("are those of its operation and at most two for authentication", { timeout: 120_000 }, async () => {
    const excesses: string[] = [];
    for (const name of operationNames) {
      const route = routes.get(name);
      const column = likelyCallers.find((one) => cells.get(name)?.[one] === "allowed");
      if (route === undefined || column === undefined || !answersJson(route)) continue;
      const input = (await cases[name]?.(scene)) ?? {};
      const client = api(setting.app, await scene.credential(column));
      let outcome = "";
      const statements = await log.during(async () => {
        outcome = await callOverRest(route, client, input, statusOf);
      });
      expect(outcome, name).toBe("allowed");
      const own = statements.filter((text) => !authenticates.test(text));
      if (statements.length - own.length > 2)
        excesses.push(`${name}: ${statements.length - own.length} to authenticate`);
      if (own.length > budgetOf(name)) excesses.push(`${name}: more than ${budgetOf(name)}:\n${abbreviated(own)}`);
      await scene.archiveCollection(false);
    }
    expect(excesses).toEqual([]);
  });

  it("with an API key are one for authentication and those of the operation", async () => {
    const client = setting.as(setting.world.people.editor);
    const path = `/api/v1/documents/${setting.world.documents.guide.id}`;
    await client.get<object>(path);
    const statements = await log.during(() => client.get<object>(path));
    expect(statements.filter((text) => text.includes("FROM api_keys k JOIN users u"))).toHaveLength(1);
    expect(statements.length, abbreviated(statements)).toBeLessThanOrEqual(1 + budgetOf("documents.get"));
  });

  it("that changes a document with an API key looks the key up together with its first statement", async () => {
    const client = setting.as(setting.world.people.editor);
    const { open } = setting.world.collections;
    const path = `/api/v1/documents/${setting.world.documents.guide.id}`;
    const changes: (() => Promise<{ status: number }>)[] = [
      () => client.post<object>("/api/v1/documents", { collectionId: open, title: "Counted" }),
      () => client.patch<object>(path, { fullWidth: true }),
      () => client.post<object>(`${path}/edits`, { op: "append", markdown: "Line" }),
    ];
    await client.get<object>(path);
    for (const change of changes) {
      lookUpsAlone = 0;
      const statements = await log.during(async () => expect((await change()).status).toBeLessThan(300));
      expect(statements.filter((text) => text.includes("FROM api_keys k JOIN users u"))).toHaveLength(1);
      expect(lookUpsAlone, abbreviated(statements)).toBe(0);
    }
  });

  it("that reads with an API key need one round trip, including authentication", async () => {
    const client = setting.as(setting.world.people.editor);
    const paths = [
      `/api/v1/documents/${setting.world.documents.guide.id}?format=markdown&include=content`,
      `/api/v1/collections/${setting.world.collections.open}`,
      "/api/v1/me",
      "/api/v1/documents",
      "/api/v1/documents?tag=a&sort=title&offset=10",
      "/api/v1/search?query=guide",
      "/api/v1/collections",
      "/api/v1/tags",
    ];
    for (const path of paths) {
      // The first request learns the key. Once a minute, a list finds out how much the caller may read.
      await client.get<object>(path);
      await client.get<object>(path);
      const fewest = await fewestOf(async () => {
        trips = 0;
        expect((await client.get<object>(path)).status, path).toBe(200);
        return trips;
      });
      expect(fewest, path).toBe(1);
    }
  });
});
