import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { bootQuery } from "../api/queries.ts";
import { useWords } from "../app/words.tsx";
import { DocumentRows } from "../parts/document-rows.tsx";
import { Loading } from "../parts/loading.tsx";
import { Screen } from "../parts/screen.tsx";
import { levelQuery } from "../tree/level-queries.ts";
import { NotFound } from "./not-found.tsx";

const route = getRouteApi("/collections/$collectionId");

/** A collection: its documents at the top level, in their order. */
export function Collection(): ReactElement {
  const { messages } = useWords();
  const { collectionId } = route.useParams();
  const { data } = useQuery(bootQuery);
  const tree = useQuery(levelQuery({ collectionId, parentId: null }));
  const collection = data.collections.find(({ id }) => id === collectionId);
  if (collection === undefined) return <NotFound />;
  const level = tree.data;
  return (
    <Screen title={collection.name} emoji={collection.icon}>
      <p className="facts">{messages.documentCount(collection.documentCount)}</p>
      {collection.archivedAt !== null && <p className="notice">{messages.archivedCollection}</p>}
      {level === undefined ? (
        <Loading query={tree} />
      ) : level.data.length === 0 ? (
        <p className="quiet">{messages.collectionEmpty}</p>
      ) : (
        <DocumentRows rows={level.data.map((node) => ({ ...node, isDraft: node.state === "draft" }))} />
      )}
    </Screen>
  );
}
