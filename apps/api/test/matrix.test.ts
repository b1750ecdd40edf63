import {
  cases,
  cells,
  columns,
  invokeOperation,
  operationCases,
  operationNamed,
  operationNames,
  type Scene,
  setScene,
} from "@kb/core/testing";
import { statusOf } from "@kb/http";
import { api, callOverRest, type Route, routesOf } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

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

  it("every operation has a case, and a route unless its case names another edge", {
    meta: { proves: ["decision.access.two-forms"] },
  }, () => {
    expect([...cells.keys()].sort()).toEqual(operationNames);
    const withoutRoute = operationNames.filter((name) => operationCases.get(name)?.withoutRoute !== undefined);
    expect(operationNames.filter((name) => !routes.has(name))).toEqual(withoutRoute);
  });

  it.each(operationNames)(
    "%s",
    {
      timeout: 60_000,
      meta: { proves: ["decision.access.groups", "decision.access.scopes", "auth.scope.read", "auth.scope.write"] },
    },
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
            ? await invokeOperation(setting.world.service, name, credential, input)
            : await callOverRest(route, api(setting.app, credential), input, statusOf);
        if (outcome !== row?.[column]) differences.push(`${column}: ${row?.[column]} expected, ${outcome} answered`);
        if (outcome === "allowed" && changes) input = undefined;
        else if ((await scene.changes()) !== before) differences.push(`${column}: something changed`);
      }
      await scene.archiveCollection(false);
      expect(differences).toEqual([]);
    },
  );
});
