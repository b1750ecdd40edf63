import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "@kb/core";
import { expect, it } from "vitest";

const client = join(import.meta.dirname, "../src/client");

/** The operations of the app that no screen calls, each with the reason. */
const unreached: Readonly<Record<string, string>> = {
  "app.events": "a stream that the whole app follows, in api/change-stream.ts",
  "documents.restrictedTags.list": "documents.view brings these tags along",
  "live.stream": "a stream that the editor follows, in editor/live-stream.ts",
  "oauth.apps.approval": "the consent page calls it, which apps/oauth serves",
  "oauth.apps.ask": "the consent page calls it, which apps/oauth serves",
  "oauth.authorize": "the consent page calls it, which apps/oauth serves",
  "team.logo": "the address of an image, which server/serve-picture.ts answers",
  "users.picture": "the address of an image, which server/serve-picture.ts answers",
  "users.groups": "users.update sets the groups too",
  "users.invite": "invitations.create takes its place: no admin knows a password",
};

it("a screen calls each operation that only the app may call, but for 10 with a reason each", () => {
  const sources = readdirSync(client, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(client, name), "utf8"));
  const called = new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/\b(?:call|useChange|operationQuery)\(([^()]*)/g)].flatMap(([, given = ""]) =>
        [...given.matchAll(/"([a-zA-Z]+(?:\.[a-zA-Z]+)+)"/g)].map(([, name]) => name),
      ),
    ),
  );
  const ofTheApp = Object.values(operations)
    .filter((each) => "sessionOnly" in each && each.sessionOnly === true)
    .map(({ name }) => name);
  expect(Object.keys(unreached)).toHaveLength(10);
  expect(ofTheApp.length).toBeGreaterThan(50);
  expect(ofTheApp.filter((name) => !called.has(name)).sort()).toEqual(Object.keys(unreached).sort());
});
