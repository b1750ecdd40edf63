import { statusOf } from "@kb/http";
import { api, type Route, routesOf } from "@kb/testing";
import {
  ask,
  askOverRest,
  cases,
  cells,
  columns,
  operationNamed,
  operationNames,
  type Scene,
  setScene,
} from "@kb/testing/matrix";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

/** Operations that no route points at: they are asked through the door itself; the edge that has them proves them too. */
const unrouted: readonly string[] = [
  "assistants.collections",
  "assistants.delete",
  "assistants.document",
  "assistants.documents",
  "assistants.search",
  "assistants.update",
  "attachments.attach",
  "oauth.authorize",
];

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

  it("every operation has a row, every row an operation and an input [decision.access.two-forms]", () => {
    expect([...cells.keys()].sort()).toEqual(operationNames);
    expect(Object.keys(cases).sort()).toEqual(operationNames);
    expect(operationNames.filter((name) => !routes.has(name))).toEqual(unrouted);
  });

  it.each(operationNames)(
    "%s [decision.access.groups] [decision.access.scopes] [auth.scope.read] [auth.scope.write]",
    async (name) => {
      const row = cells.get(name);
      const { changes } = operationNamed(name);
      const differences: string[] = [];
      let input: object | undefined;
      let before = 0;
      for (const column of columns) {
        const credential = await scene.credential(column);
        if (input === undefined) {
          input = (await cases[name]?.(scene)) ?? {};
          before = await scene.changes();
        }
        const route = routes.get(name);
        const outcome =
          route === undefined
            ? await ask(setting.world.service, name, credential, input)
            : await askOverRest(route, api(setting.app, credential), input, statusOf);
        if (outcome !== row?.[column]) differences.push(`${column}: ${row?.[column]} expected, ${outcome} answered`);
        if (outcome === "allowed" && changes) input = undefined;
        else if ((await scene.changes()) !== before) differences.push(`${column}: something changed`);
      }
      await scene.archiveCollection(false);
      expect(differences).toEqual([]);
    },
    60_000,
  );
});
