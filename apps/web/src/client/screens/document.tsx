import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactElement, useCallback, useEffect, useEffectEvent, useState } from "react";
import type { View } from "../api/contract.ts";
import { viewQuery } from "../api/queries.ts";
import { isWritingFirst } from "../app/preferences.ts";
import { useWords } from "../app/words.tsx";
import { DocumentRows } from "../parts/document-rows.tsx";
import { lazyPage } from "../parts/lazy-page.tsx";
import { Screen } from "../parts/screen.tsx";
import { usePreload } from "../parts/use-preload.ts";
import { When } from "../parts/when.tsx";
import { adoptArticle, articleKey } from "../reading/adopt.ts";
import { Article } from "../reading/article.tsx";
import { countWordsOfArticle } from "../reading/count-words.ts";
import { editAddress, isEmptyArticle, isEmptyHtml } from "../reading/empty-document.ts";
import { foldPath } from "../reading/fold-path.ts";
import { scrollToPlace, takePlace } from "../reading/kept-place.ts";
import { FoldedOutline, Outline } from "../reading/outline.tsx";
import { readingMinutes } from "../reading/reading-minutes.ts";
import { onRowsForgotten } from "../tree/level-queries.ts";
import { loadPath, revealDocument } from "../tree/reveal.ts";
import { DocumentActions } from "./document-actions.tsx";
import { DocumentNotice } from "./document-notice.tsx";
import { Properties } from "./properties.tsx";

const loadWriting = () => import("../writing/writer.tsx");
const Writer = lazyPage(async () => (await loadWriting()).Writer);

/** Loads what a document is written with. Nobody waits for it. */
function preloadWriting(): void {
  Writer.preload();
  loadWriting().then(
    ({ preloadEditor }) => preloadEditor(),
    () => undefined,
  );
}
const preloadNothing = (): void => undefined;

/** The page of a document: where it is, what state it is in, its text, and what lies below it. */
export function Document(): ReactElement {
  const { documentId } = useParams({ strict: false });
  const { edit } = useSearch({ strict: false });
  const { data: view } = useSuspenseQuery(viewQuery(documentId ?? ""));
  useReveal(view);
  const { abilities, document } = view;
  const isWritable = abilities.edit && document.archivedAt === null && document.deletedAt === null;
  useWritingFirst(document.id, isWritable && edit === undefined);
  usePreload(isWritable ? preloadWriting : preloadNothing);
  if (edit === undefined || !isWritable) return <Reading view={view} />;
  return <Writer key={`${document.id} ${edit}`} view={view} isSource={edit === "source"} />;
}

/**
 * Opens a document for writing, where the reader prefers that: whenever they come to it, but not where they end writing it. An address
 * of a heading is that of something to read.
 */
function useWritingFirst(documentId: string, isReading: boolean): void {
  const navigate = useNavigate();
  const come = useEffectEvent(() => {
    if (!isReading || !isWritingFirst() || location.hash !== "") return;
    const params = { documentId };
    void navigate({ to: "/documents/$documentId", params, search: { edit: true }, replace: true });
  });
  useEffect(() => come(), [documentId]);
}

function Reading({ view }: { readonly view: View }): ReactElement {
  const { messages } = useWords();
  const { document, children } = view;
  // The article of the server is there before this is, so that what depends on it is rendered once.
  const [article, setArticle] = useState(() => adoptArticle(articleKey(document.id, document.revision)) ?? null);
  // The element remains the same when its text changes.
  const [words, setWords] = useState(() => wordsOf(article));
  const [shownRevision, setShownRevision] = useState(article === null ? 0 : document.revision);
  const { id } = document;
  const show = useCallback(
    (node: HTMLElement, revision: number): void => {
      const place = takePlace(id);
      if (place !== undefined) scrollToPlace(place, node);
      setArticle(node);
      setShownRevision(revision);
      setWords(wordsOf(node));
    },
    [id],
  );
  return (
    <>
      <Screen
        key={document.id}
        title={document.title || messages.untitled}
        emoji={document.emoji}
        isWide={document.fullWidth}
        before={<Crumbs view={view} />}
        actions={<DocumentActions view={view} />}
      >
        <DocumentNotice view={view} />
        <Facts view={view} article={article} />
        <Tags view={view} />
        <FoldedOutline article={article} />
        <Article
          id={document.id}
          revision={document.revision}
          html={view.html ?? ""}
          editAddress={editAddress(view)}
          onShow={show}
        />
        {children.data.length > 0 && (
          <section className="part">
            <h2>{messages.subpages}</h2>
            <DocumentRows rows={children.data.map((node) => ({ ...node, isDraft: node.state === "draft" }))} />
          </section>
        )}
        <Properties view={view} words={words} />
      </Screen>
      <Outline article={article} revision={shownRevision} />
    </>
  );
}

/** Returns the number of words of an article; 0 before there is one. */
const wordsOf = (article: HTMLElement | null): number =>
  article === null || isEmptyArticle(article) ? 0 : countWordsOfArticle(article);

/** Opens the tree at the document, once for each document and whenever it moves; keeps its rows in the tree. */
function useReveal(view: View): void {
  const queries = useQueryClient();
  const place = [view.document.id, view.collection?.id, ...view.path.map(({ id }) => id)].join();
  useEffect(() => {
    // The tree works without it: the reader can open it.
    revealDocument(queries, view).catch(() => undefined);
    return onRowsForgotten(() => void loadPath(queries, view).catch(() => undefined));
  }, [place, queries]);
}

function Crumbs({ view: { collection, path } }: { readonly view: View }): ReactElement | null {
  const { messages } = useWords();
  if (collection === null) return null;
  const { first, folded, last } = foldPath(path);
  return (
    <nav className="crumbs" aria-label={messages.breadcrumbs}>
      <ol>
        <li>
          <Link to="/collections/$collectionId" params={{ collectionId: collection.id }} dir="auto">
            {collection.name}
          </Link>
        </li>
        <CrumbLinks path={first} />
        {folded.length > 0 && (
          <li>
            <details>
              <summary aria-label={messages.breadcrumbsMore(folded.length)}>…</summary>
              <ol>
                <CrumbLinks path={folded} />
              </ol>
            </details>
          </li>
        )}
        <CrumbLinks path={last} />
      </ol>
    </nav>
  );
}

function CrumbLinks({ path }: { readonly path: Readonly<View["path"]> }): ReactElement[] {
  const { messages } = useWords();
  return path.map(({ id, title }) => (
    <li key={id}>
      <Link to="/documents/$documentId" params={{ documentId: id }} dir="auto">
        {title || messages.untitled}
      </Link>
    </li>
  ));
}

function Facts({ view, article }: { readonly view: View; readonly article: HTMLElement | null }): ReactElement {
  const { messages } = useWords();
  const { document, lastModifiedBy, html = "" } = view;
  const isEmpty = article === null ? isEmptyHtml(html) : isEmptyArticle(article);
  return (
    <p className="facts">
      <span>{lastModifiedBy === null ? messages.updated : messages.updatedBy(lastModifiedBy.name)}</span>
      <When time={document.updatedAt} />
      {!isEmpty && <span>{messages.readingTime(readingMinutes(article?.textContent ?? html))}</span>}
    </p>
  );
}

function Tags({ view: { document, restrictedTags } }: { readonly view: View }): ReactElement | null {
  const { messages } = useWords();
  const names = [...document.tags, ...restrictedTags.map(({ name }) => name)];
  if (names.length === 0) return null;
  return (
    <ul className="tags" aria-label={messages.tags}>
      {names.map((name) => (
        <li key={name}>
          <Link to="/tags/$tag" params={{ tag: name }} className="tag" dir="auto">
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
