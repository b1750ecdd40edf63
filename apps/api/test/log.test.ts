import type { DocumentView } from "@kb/core";
import type { One } from "@kb/http/testing";
import { createLogger } from "@kb/runtime";
import { expect, it } from "vitest";
import { openSetting } from "./setting.ts";

it("a request is one line with its id, route and status, without keys, titles, bodies and queries", {
  meta: { proves: ["decision.api.request-id"] },
}, async () => {
  const lines: string[] = [];
  const logger = createLogger({ app: "api", level: "debug", destination: { write: (line) => lines.push(line) } });
  const setting = await openSetting({ logger });
  try {
    const { editor } = setting.world.people;
    const client = setting.as(editor);
    const json = {
      collectionId: setting.world.collections.open,
      title: "Titleofmine",
      text: "Bodyofmine",
      tags: ["tagofmine"],
    };
    const headers = { "X-Request-Id": "asked-by-me", "Idempotency-Key": "retrykeyofmine" };
    const { id } = (await client.post<One<DocumentView>>("/api/v1/documents", json, headers)).body.data;
    await client.get<object>("/api/v1/search?query=queryofmine");
    await client.get<object>("/api/v1/documents?title=Titleofmine");
    await client.patch(`/api/v1/documents/${id}`, { title: 5, unknownofmine: "x" });
    await setting.as("kb_secretofmine").get("/api/v1/me");

    const all = lines.join("");
    for (const secret of [
      "Titleofmine",
      "Bodyofmine",
      "tagofmine",
      "queryofmine",
      "secretofmine",
      "retrykeyofmine",
      editor.key,
    ]) {
      expect(all).not.toContain(secret);
    }
    const own = lines.filter((line) => line.includes("asked-by-me")).map((line) => JSON.parse(line));
    expect(own).toHaveLength(1);
    expect(JSON.stringify(own[0])).toContain("201");
    expect(JSON.stringify(own[0])).toContain("documents.create");
    // Five requests, and the client's own for the description.
    expect(lines).toHaveLength(6);
  } finally {
    await setting.close();
  }
});
