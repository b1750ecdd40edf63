import { operations } from "@kb/core";
import { statusOf } from "@kb/http";
import { type ApiClient, api, type Failure, type Route, routesOf } from "@kb/testing";
import { cases, cells, columns, type Scene, setScene } from "@kb/testing/matrix";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

/** Operations that no route points at: their cells are proven where they are reached. */
const elsewhere: readonly string[] = [
  "assistants.collections",
  "assistants.delete",
  "assistants.document",
  "assistants.documents",
  "assistants.search",
  "assistants.update",
];

const statuses = new Map<string, number>(Object.entries(statusOf));

describe("every operation for every kind of credential", () => {
  let setting: Setting;
  let scene: Scene;
  let routes: ReadonlyMap<string, Route>;
  beforeAll(async () => {
    setting = await openSetting();
    scene = await setScene(setting.world);
    const described = routesOf(await (await setting.app.request("/openapi.json")).json());
    routes = new Map(described.map((route) => [String(route.operation.operationId), route]));
  });
  afterAll(() => setting.close());

  const names = Object.values(operations)
    .map((operation) => operation.name)
    .sort();
  const routed = names.filter((name) => !elsewhere.includes(name));

  it("every operation has a row, every row an operation and an input [decision.access.two-forms]", () => {
    expect([...cells.keys()].sort()).toEqual(names);
    expect(Object.keys(cases).sort()).toEqual(names);
    expect([...routes.keys()].filter((name) => name !== "health.get").sort()).toEqual(routed);
  });

  it.each(routed)(
    "%s [decision.access.groups] [decision.access.scopes] [auth.scope.read] [auth.scope.write]",
    async (name) => {
      const row = cells.get(name);
      const differences: string[] = [];
      let input: object | undefined;
      for (const column of columns) {
        const client = api(setting.app, await scene.credential(column));
        input ??= (await cases[name]?.(scene)) ?? {};
        const before = await scene.changes();
        const outcome = await ask(client, name, input);
        const changed = (await scene.changes()) !== before;
        if (outcome !== row?.[column]) differences.push(`${column}: ${row?.[column]} expected, ${outcome} answered`);
        if (changed && outcome !== "allowed") differences.push(`${column}: refused, and yet something changed`);
        if (changed) input = undefined;
      }
      await scene.archiveCollection(false);
      expect(differences).toEqual([]);
    },
    60_000,
  );

  /** The path's parameters come out of the input; the rest is the query or the body. */
  async function ask(client: ApiClient, name: string, input: object): Promise<string> {
    const route = routes.get(name);
    if (route === undefined) throw new Error(`no route answers ${name}`);
    const rest = new Map<string, unknown>(Object.entries(input));
    const path = route.template.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
      const value = String(rest.get(key));
      rest.delete(key);
      return value;
    });
    const reads = route.method === "GET";
    const query = new URLSearchParams([...rest].map(([key, value]) => [key, String(value)]));
    const sending = reads || rest.size === 0 ? {} : { json: Object.fromEntries(rest) };
    const reply = await client.send<Failure>(route.method, reads ? `${path}?${query}` : path, sending);
    if (reply.status < 300) return "allowed";
    const { code } = reply.body;
    return statuses.get(code) === reply.status ? code : `${code} with ${reply.status}`;
  }
});
