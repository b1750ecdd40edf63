import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { bootQuery } from "../api/queries.ts";
import { useWords } from "../app/words.tsx";
import { Loading } from "../parts/loading.tsx";
import { Screen } from "../parts/screen.tsx";
import { LevelList } from "../tree/level-list.tsx";
import { levelQuery } from "../tree/level-queries.ts";
import { NotFound } from "./not-found.tsx";

const route = getRouteApi("/collections/$collectionId");

/** A collection: its documents at the top level, in their order. */
export function Collection(): ReactElement {
  const { messages } = useWords();
  const { collectionId } = route.useParams();
  const { data } = useQuery(bootQuery);
  const place = { collectionId, parentId: null };
  const tree = useQuery(levelQuery(place));
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
        <LevelList place={place} level={level} />
      )}
    </Screen>
  );
}
