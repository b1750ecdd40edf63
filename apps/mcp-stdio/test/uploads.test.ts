import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Service } from "@kb/core";
import { openFiles, StorageVariables } from "@kb/storage";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { missingStore } from "../src/missing-store.ts";
import { clientOnPipes } from "./pipes.ts";
import { dataBase64, openStdioWorld, type StdioWorld } from "./stdio-world.ts";

const image = { name: "dot.png", contentType: "image/png" };

describe("upload_image over stdio", () => {
  let opened: StdioWorld;
  const clients: Client[] = [];
  beforeAll(async () => {
    opened = await openStdioWorld();
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await opened.close();
  });

  const upload = async (files: Service["files"], input: object) => {
    const { service, people } = opened.world;
    const client = await clientOnPipes({ ...service, files }, people.editor.key);
    clients.push(client);
    return client.callTool({ name: "upload_image", arguments: { ...image, ...input } });
  };

  it("stores the file in the data folder of the service", async () => {
    const folder = mkdtempSync(join(tmpdir(), "kb-stdio-files-"));
    const files = openFiles(z.object(StorageVariables).parse({}), folder);
    const { structuredContent } = await upload(files, { dataBase64 });
    expect(structuredContent).toMatchObject({ url: expect.stringMatching(/\/files\/.*\/dot\.png$/) });
    rmSync(folder, { recursive: true, force: true });
  });

  it("without a place for files says what to do, and gives an address to send the file to", async () => {
    const files = { store: missingStore, maxBytes: 1_000_000 };
    const refused = await upload(files, { dataBase64 });
    expect(refused).toMatchObject({ isError: true, _meta: { code: "INVALID_PARAMETERS" } });
    expect(refused.content).toMatchObject([{ text: expect.stringMatching(/uploadUrl.*KB_DATA_DIR/) }]);
    const { structuredContent } = await upload(files, {});
    expect(structuredContent).toMatchObject({ uploadUrl: expect.stringContaining("/api/attachments.upload/") });
  });
});
