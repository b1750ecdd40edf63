import type { ApiClient, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("many requests", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  it("are all served, even if there are more of them than database connections", {
    meta: { proves: ["decision.api.code.unavailable"] },
  }, async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        index % 4 === 0
          ? editor.post<object>("/api/v1/documents", { collectionId: setting.world.collections.open })
          : editor.get<Page<object>>("/api/v1/documents?limit=5"),
      ),
    );
    expect(replies.every((reply) => reply.status < 300)).toBe(true);
  });
});
