import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { tagsQuery } from "../api/queries.ts";
import { useWords } from "../app/words.tsx";
import { Loading } from "../parts/loading.tsx";
import { Screen } from "../parts/screen.tsx";

/** The tags that the reader may know, each with the number of its documents. */
export function Tags(): ReactElement {
  const { messages } = useWords();
  const tags = useQuery(tagsQuery);
  return (
    <Screen title={messages.tags}>
      {tags.data === undefined ? (
        <Loading query={tags} />
      ) : tags.data.length === 0 ? (
        <p className="quiet">{messages.tagsEmpty}</p>
      ) : (
        <ul className="rows">
          {tags.data.map(({ id, name, documentCount, restricted }) => (
            <li key={id}>
              <Link to="/tags/$tag" params={{ tag: name }}>
                <span className="row-title">
                  <bdi>{name}</bdi>
                  {restricted === true && (
                    <>
                      {" "}
                      <span className="tag">{messages.tagRestricted}</span>
                    </>
                  )}
                </span>{" "}
                <span className="row-detail">{messages.documentCount(documentCount ?? 0)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Screen>
  );
}
