import { apiPaths } from "@kb/api";
import { mcpPaths } from "@kb/mcp";
import { oauthPaths } from "@kb/oauth";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { variablesOf } from "../../checks/app-variables.ts";
import { text } from "./read.ts";

const Read = z.strictObject({ secrets: z.array(z.string()), settings: z.array(z.string()) });
const App = Read.extend({ paths: z.array(z.string()) });

const apps = z.record(z.string(), App).parse(parse(text("helm/kb/files/apps.yaml")));
const kb = Read.parse(parse(text("helm/kb/files/kb.yaml")));
const everything = Object.entries({ ...apps, kb });

/** Variables that the images or the templates set, or that only `kb start` reads. */
const setByTheChart = new Set(
  "APP_URL METRICS_HOST METRICS_PORT HOST PORT UNREADY_MS KB_DATA_DIR KB_ADMIN_EMAIL KB_ADMIN_PASSWORD".split(" "),
);
const isSecret = (name: string): boolean =>
  /SECRET|PASSWORD$|ACCESS_KEY|^(?:DATABASE|DATABASE_DIRECT|DATABASE_REPLICA|REDIS|SMTP)_URL$|OTLP_HEADERS$/.test(name);

describe("the Helm chart", () => {
  it.each(everything)(
    "gives %s the variables that its env.ts reads and no other, secrets by reference",
    (app, read) => {
      const variables = variablesOf(app)
        .filter((name) => !setByTheChart.has(name))
        .toSorted();
      expect(variables.length).toBeGreaterThan(20);
      expect(read.secrets).toEqual(variables.filter(isSecret));
      expect(read.settings).toEqual(variables.filter((name) => !isSecret(name)));
    },
  );

  it("leads each path to its app", () => {
    const paths = Object.fromEntries(Object.entries(apps).map(([name, app]) => [name, app.paths.toSorted()]));
    expect(paths).toEqual({
      // The ingress sends `/api/mcp` to the longer prefix.
      api: [...apiPaths].sort(),
      mcp: [...mcpPaths].sort(),
      oauth: [...oauthPaths].sort(),
      web: ["/"],
      worker: [],
    });
  });

  it("accepts exactly the settings that an app or a command reads, and its comments name every secret", () => {
    const Schema = z.looseObject({
      properties: z.looseObject({ settings: z.looseObject({ properties: z.record(z.string(), z.unknown()) }) }),
    });
    const { settings } = Schema.parse(JSON.parse(text("helm/kb/values.schema.json"))).properties;
    const read = new Set(everything.flatMap(([, app]) => app.settings));
    expect(Object.keys(settings.properties).toSorted()).toEqual([...read].sort());
    const comments = text("helm/kb/values.yaml");
    for (const name of everything.flatMap(([, { secrets }]) => secrets))
      expect(comments).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
