import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { exportedMetrics } from "./exported-metrics.ts";
import { deploy, text } from "./read.ts";
import { unknownNames } from "./unknown-names.ts";

const Rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});
const Cases = z.object({
  tests: z.array(
    z.object({
      input_series: z.array(z.object({ series: z.string() })),
      alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()).default([]) })),
    }),
  ),
});
const Panel = z.object({
  id: z.number(),
  title: z.string(),
  type: z.enum(["stat", "timeseries", "row"]),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  targets: z.array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() })).default([]),
});
const Dashboard = z.object({
  title: z.string(),
  uid: z.string(),
  schemaVersion: z.number().min(36),
  templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.unknown() })) }),
  panels: z.array(Panel),
});

const rules = Rules.parse(parse(text("monitoring/alerts.yaml"))).groups.flatMap((group) => group.rules);
const cases = Cases.parse(parse(text("monitoring/alerts.test.yaml"))).tests;
const dashboard = Dashboard.parse(JSON.parse(text("monitoring/dashboard.json")));
let exported: ReadonlyMap<string, ReadonlySet<string>>;
beforeAll(async () => {
  exported = await exportedMetrics();
});

describe("the alerts", () => {
  it("name only metrics and labels that the service exports", () => {
    for (const { alert, expr } of rules) expect([alert, unknownNames(expr, exported)]).toEqual([alert, []]);
  });

  it("are tried with series that the service exports, each raised by some and silent for others", () => {
    for (const { series } of cases.flatMap(({ input_series }) => input_series)) {
      expect([series, unknownNames(series, exported)]).toEqual([series, []]);
    }
    const tried = cases.flatMap(({ alert_rule_test }) => alert_rule_test);
    for (const { alert } of rules) {
      const own = tried.filter(({ alertname }) => alertname === alert);
      expect([alert, own.some(({ exp_alerts }) => exp_alerts.length > 0)]).toEqual([alert, true]);
    }
    expect(tried.filter(({ exp_alerts }) => exp_alerts.length === 0).length).toBeGreaterThanOrEqual(rules.length);
  });

  it("leave out routes that the service has", () => {
    const { paths } = JSON.parse(readFileSync(join(deploy, "../openapi.json"), "utf8"));
    const patterns = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/http_route!~"([^"]+)"/g)].map(([, found]) => found),
    );
    expect(patterns).toHaveLength(1);
    for (const pattern of patterns) {
      const whole = new RegExp(`^(?:${pattern})$`);
      expect([pattern, Object.keys(paths).filter((path) => whole.test(path))]).toEqual([
        pattern,
        ["/api/v1/collections.export"],
      ]);
    }
  });

  it("are refused with a name that the service does not export", () => {
    expect(unknownNames("rate(kb_outbox_depht[5m]) > 1", exported)).toEqual(["kb_outbox_depht"]);
    expect(unknownNames('kb_outbox_depth{http_route="x"}', exported)).toContain("kb_outbox_depth{http_route}");
    expect(unknownNames("sum by (http_rout) (http_server_active_requests)", exported)).toEqual(["http_rout"]);
  });
});

describe("the dashboard", () => {
  const targets = dashboard.panels.flatMap(({ title, targets }) => targets.map((target) => ({ title, ...target })));

  it("names only metrics and labels that the service exports", () => {
    for (const { title, expr } of targets) expect([title, unknownNames(expr, exported)]).toEqual([title, []]);
    for (const { title, expr, legendFormat } of targets) {
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
      const known = new Set([...expr.matchAll(/[a-z_]\w*/g)].flatMap(([name]) => [...(exported.get(name) ?? [])]));
      expect([title, shown.filter((label) => !known.has(label))]).toEqual([title, []]);
    }
  });

  it("shows the metric of every alert", () => {
    const bare = (name: string): string => name.replace(/_(bucket|count|sum)$/, "");
    const namesIn = (expression: string): string[] =>
      [...expression.matchAll(/[a-z_]\w*/g)]
        .map(([name]) => name)
        .filter((name) => exported.has(name))
        .map(bare);
    const shown = new Set(targets.flatMap(({ expr }) => namesIn(expr)));
    for (const { alert, expr } of rules)
      expect([alert, namesIn(expr).filter((name) => !shown.has(name))]).toEqual([alert, []]);
  });

  it("has panels that do not overlap, each with an id of its own", () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});
