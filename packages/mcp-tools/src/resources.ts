import { asServiceError, invoke, type Service } from "@kb/core";
import * as operations from "@kb/core/operations";
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
  requireScopes,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Caller } from "./tool.ts";
import { errorText } from "./tool-error.ts";

/** Options of the resources. */
export type ResourceOptions = {
  readonly service: Service;
  readonly caller: (context: ServerContext) => Caller | Promise<Caller>;
  readonly challengesScopes: boolean;
  readonly onDefect: (error: unknown, what: string) => void;
};

/** The list of resources has at most this many documents, the latest first. The templates reach every document. */
const maxListedDocuments = 50;
const maxRows = 100;

type Run = <T>(context: ServerContext, uri: string, read: (caller: Caller) => Promise<T>) => Promise<T>;

/** Registers `kb://documents/{id}` (Markdown) and `kb://collections/{id}` (JSON: the collection and its latest documents). */
export function registerResources(server: McpServer, options: ResourceOptions): void {
  const run: Run = (context, uri, read) => convertErrors(options, context, uri, read);
  registerDocuments(server, options, run);
  registerCollections(server, options, run);
}

function registerDocuments(server: McpServer, options: ResourceOptions, run: Run): void {
  const { service } = options;
  const list = (context: ServerContext) =>
    run(context, "kb://documents", async ({ actor, call }) => {
      const input = { limit: maxListedDocuments };
      const { documents } = await invoke(service, operations.listDocumentsForAssistants, actor, input, call);
      return { resources: documents.map(({ id, title }) => ({ uri: `kb://documents/${id}`, name: title, title })) };
    });
  server.registerResource(
    "document",
    new ResourceTemplate("kb://documents/{id}", { list }),
    { title: "Document", description: "A document as Markdown", mimeType: "text/markdown", ...challenge(options) },
    (uri, { id }, context) =>
      run(context, uri.href, async ({ actor, call }) => {
        const input = { id, format: "markdown" };
        const { markdownText = "" } = await invoke(service, operations.getDocument, actor, input, call);
        return contents(uri, "text/markdown", markdownText);
      }),
  );
}

function registerCollections(server: McpServer, options: ResourceOptions, run: Run): void {
  const { service } = options;
  const list = (context: ServerContext) =>
    run(context, "kb://collections", async ({ actor, call }) => {
      const input = { limit: maxRows };
      const { collections } = await invoke(service, operations.listCollectionsForAssistants, actor, input, call);
      return { resources: collections.map(({ id, name }) => ({ uri: `kb://collections/${id}`, name, title: name })) };
    });
  server.registerResource(
    "collection",
    new ResourceTemplate("kb://collections/{id}", { list }),
    {
      title: "Collection",
      description: "A collection and its documents",
      mimeType: "application/json",
      ...challenge(options),
    },
    (uri, { id }, context) =>
      run(context, uri.href, async ({ actor, call }) => {
        const { collections } = await invoke(service, operations.listCollectionsForAssistants, actor, { id }, call);
        const [collection] = collections;
        if (collection === undefined) throw new ResourceNotFoundError(uri.href);
        const input = { collectionId: id, limit: maxRows };
        const { documents, nextCursor } = await invoke(
          service,
          operations.listDocumentsForAssistants,
          actor,
          input,
          call,
        );
        return contents(uri, "application/json", JSON.stringify({ ...collection, documents, nextCursor }));
      }),
  );
}

const challenge = ({ challengesScopes }: ResourceOptions) =>
  challengesScopes ? { scopeChallenge: requireScopes("read") } : {};

function contents(uri: URL, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType, text }] };
}

/** Converts errors of the service to those of the protocol. A hidden resource or a malformed id is a missing resource. */
async function convertErrors<T>(
  { caller, onDefect }: ResourceOptions,
  context: ServerContext,
  uri: string,
  read: (caller: Caller) => Promise<T>,
): Promise<T> {
  try {
    return await read(await caller(context));
  } catch (thrown) {
    if (thrown instanceof ResourceNotFoundError) throw thrown;
    const error = asServiceError(thrown);
    if (error.code === "not_found" || error.code === "validation_error") throw new ResourceNotFoundError(uri);
    if (error.code === "internal_error") onDefect(thrown, uri);
    throw new ProtocolError(ProtocolErrorCode.InternalError, errorText(error));
  }
}
