import { invoke, operations } from "@kb/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isEmptyHtml } from "../src/client/reading/empty-document.ts";
import { openSetting, type Setting } from "./setting.ts";

const emptyText = "This document has no text yet.";

describe("a document without text", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting?.close());

  it("says so, and offers Edit to those who may write it", async () => {
    const { service, people, collections } = setting.world;
    const create = (text: string) =>
      invoke(service, operations.createDocument, people.editor.actor, {
        collectionId: collections.open,
        title: "Short",
        text,
        publish: true,
      });
    const articleOf = async (id: string, person = people.editor): Promise<string> =>
      (await (await setting.get(`/documents/${id}`, person)).text()).match(/<article.*?<\/article>/s)?.[0] ?? "";
    const { id } = await create("");
    expect(await articleOf(id)).toContain(
      `${emptyText} <a class="edit-link" href="/documents/${id}?edit=true">Edit</a>`,
    );
    expect(await articleOf(id, people.viewer)).toContain(`${emptyText}</p>`);
    await invoke(service, operations.archiveDocument, people.editor.actor, { id });
    expect(await articleOf(id)).toContain(`${emptyText}</p>`);
    expect(await articleOf((await create("One word.")).id)).not.toContain(emptyText);
  });

  it.each([
    ["", true],
    ['<p dir="auto"></p>\n', true],
    ['<p dir="auto"> \n<br></p>', true],
    ['<p dir="auto">a</p>', false],
    ['<p dir="auto"><img src="/files/a" alt=""></p>', false],
    ["<hr>", false],
  ])("is one that shows nothing: %j", (html, isEmpty) => {
    expect(isEmptyHtml(html)).toBe(isEmpty);
  });
});
