import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Icon } from "../parts/icon.tsx";
import { CollectionTree } from "../tree/collection-tree.tsx";
import { NewDocumentButton } from "./new-document-button.tsx";
import { Starred } from "./starred.tsx";
import { useWords } from "./words.tsx";

/** The links to every part of the knowledge base. */
export function Navigation(): ReactElement {
  const { messages } = useWords();
  return (
    <>
      <NewDocumentButton />
      <ul>
        <li>
          <Link to="/" className="row-link" activeOptions={{ exact: true }} activeProps={{ "aria-current": "page" }}>
            <Icon name="home" />
            <span>{messages.home}</span>
          </Link>
        </li>
        <li>
          <Link to="/search" className="row-link" activeProps={{ "aria-current": "page" }}>
            <Icon name="search" />
            <span>{messages.search}</span>
          </Link>
        </li>
        <li>
          <Link to="/drafts" className="row-link" activeProps={{ "aria-current": "page" }}>
            <Icon name="draft" />
            <span>{messages.drafts}</span>
          </Link>
        </li>
      </ul>
      <Starred />
      <h2>{messages.collections}</h2>
      <CollectionTree />
      <ul className="navigation-end">
        <li>
          <Link to="/tags" className="row-link" activeProps={{ "aria-current": "page" }}>
            <Icon name="tag" />
            <span>{messages.tags}</span>
          </Link>
        </li>
        <li>
          <Link to="/archive" className="row-link" activeProps={{ "aria-current": "page" }}>
            <Icon name="archive" />
            <span>{messages.archive}</span>
          </Link>
        </li>
        <li>
          <Link to="/trash" className="row-link" activeProps={{ "aria-current": "page" }}>
            <Icon name="trash" />
            <span>{messages.trash}</span>
          </Link>
        </li>
        <li>
          <Link to="/settings/$" params={{ _splat: "" }} className="row-link" activeProps={{ "aria-current": "page" }}>
            <Icon name="settings" />
            <span>{messages.settings}</span>
          </Link>
        </li>
        <li>
          <Link to="/help" className="row-link" activeProps={{ "aria-current": "page" }}>
            <Icon name="help" />
            <span>{messages.help}</span>
          </Link>
        </li>
      </ul>
    </>
  );
}
