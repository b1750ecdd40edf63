import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asServiceError, receiveUpload, type Service } from "@kb/core";
import { guardedFetch } from "@kb/outgoing";
import { openFiles, StorageVariables } from "@kb/storage";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { missingStore } from "../src/missing-store.ts";
import { sendFileTo } from "../src/send-file.ts";
import { clientOnPipes } from "./pipes.ts";
import { dataBase64, openStdioWorld, type StdioWorld } from "./stdio-world.ts";

const image = { name: "dot.png", contentType: "image/png" };

describe("files over stdio", () => {
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

  it("without a place for files, sends the bytes to the upload address of the service, which stores them", {
    meta: { proves: ["decision.stdio.upload"] },
  }, async () => {
    const { service, people } = opened.world;
    const receiver = await receive(service);
    const files = { store: missingStore, maxBytes: 1_000_000 };
    const here = { ...service, appUrl: receiver.url, files };
    const client = await clientOnPipes(here, people.editor.key, sendFileTo(receiver.url, outgoing));
    clients.push(client);
    const pdf = {
      name: "plan.pdf",
      contentType: "application/pdf",
      dataBase64: Buffer.from("%PDF-1.4\n%%EOF").toString("base64"),
    };
    const { structuredContent, content } = await client.callTool({ name: "upload_file", arguments: pdf });
    expect(structuredContent, JSON.stringify(content)).toEqual({
      url: expect.stringMatching(/\/files\/[\w-]+\/plan\.pdf$/),
      markdown: `[plan.pdf](${String(Object(structuredContent).url)})`,
    });
    const where = { teamId: opened.world.teamId, name: "plan.pdf" };
    expect(await service.database.client.attachment.findMany({ where })).toMatchObject([{ status: "ready" }]);
    // The bytes of this file are no picture: the service refuses them, in its own words.
    const refused = await client.callTool({
      name: "upload_image",
      arguments: { ...image, dataBase64: pdf.dataBase64 },
    });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/The service refused the file: .*uploadUrl/) }],
    });
    await receiver.close();
    const away = await client.callTool({ name: "upload_image", arguments: { ...image, dataBase64 } });
    expect(away).toMatchObject({ isError: true, _meta: { code: "UNAVAILABLE" } });
    expect(away.content).toMatchObject([{ text: expect.stringMatching(/APP_URL.*KB_DATA_DIR.*uploadUrl/) }]);
  });

  it("gives an address to send a file to", async () => {
    const { structuredContent } = await upload({ store: missingStore, maxBytes: 1_000_000 }, {});
    expect(structuredContent).toMatchObject({ uploadUrl: expect.stringContaining("/api/attachments.upload/") });
  });
});

const outgoing = guardedFetch({ allowPrivateNetwork: true });

/** Receives uploads as the service does. */
async function receive(service: Service): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const upload = { id: pathname.split("/").at(-1) ?? "", token: searchParams.get("token") ?? "", length: undefined };
    receiveUpload(service, { ...upload, body: request }).then(
      (attachment) => response.end(JSON.stringify(attachment)),
      (error: unknown) => response.writeHead(415).end(JSON.stringify({ error: asServiceError(error).message })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, close };
}
