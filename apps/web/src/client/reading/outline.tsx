import { type ReactElement, useEffect, useRef, useState } from "react";
import { useWords } from "../app/words.tsx";

/** The most headings that an outline lists. */
const mostHeadings = 200;

type OutlineProps = { readonly article: HTMLElement | null; readonly revision: number };

/** The headings of a document beside it, the one that is being read marked. */
export function Outline({ article, revision }: OutlineProps): ReactElement {
  const { messages } = useWords();
  const current = useCurrentHeading(article, revision);
  const headings = article === null ? [] : headingsOf(article);
  const aside = useRef<HTMLElement>(null);
  useEffect(() => {
    if (current !== undefined && aside.current !== null) showCurrent(aside.current);
  }, [current]);
  return (
    <aside className="aside" ref={aside}>
      {headings.length > 0 && (
        <nav className="outline" aria-label={messages.onThisPage}>
          <h2>{messages.onThisPage}</h2>
          <OutlineLinks headings={headings} current={current} />
        </nav>
      )}
    </aside>
  );
}

/** The headings above the text of a document, folded, where the page has no room for them beside it. */
export function FoldedOutline({ article }: Pick<OutlineProps, "article">): ReactElement | null {
  const { messages } = useWords();
  const headings = article === null ? [] : headingsOf(article);
  if (headings.length === 0) return null;
  return (
    <details className="outline-fold">
      <summary>{messages.onThisPage}</summary>
      <nav className="outline" aria-label={messages.onThisPage}>
        <OutlineLinks headings={headings} />
      </nav>
    </details>
  );
}

type OutlineLinksProps = { readonly headings: readonly HTMLElement[]; readonly current?: string | undefined };

function OutlineLinks({ headings, current }: OutlineLinksProps): ReactElement {
  const top = Math.min(...headings.map(levelOf));
  return (
    <ol>
      {headings.map((heading) => (
        <li key={heading.id} data-depth={Math.min(3, levelOf(heading) - top + 1)}>
          <a
            href={`#${encodeURIComponent(heading.id)}`}
            dir="auto"
            {...(current === heading.id && { "aria-current": "location" as const })}
          >
            {wordsOf(heading)}
          </a>
        </li>
      ))}
    </ol>
  );
}

/** Moves the focus into the outline that the page shows: to the heading that is being read, else to the first. */
export function focusOutline(): void {
  const shown = [...document.querySelectorAll(".outline-fold, .aside .outline")].find((each) => each.checkVisibility());
  if (shown instanceof HTMLDetailsElement) shown.open = true;
  const link = shown?.querySelector<HTMLElement>("[aria-current]") ?? shown?.querySelector<HTMLElement>("a");
  link?.focus();
}

/** Scrolls an outline that is longer than the window to the heading that is being read, unless the reader is in it. */
function showCurrent(aside: HTMLElement): void {
  const link = aside.querySelector("[aria-current]");
  if (link === null || aside.matches(":hover, :focus-within")) return;
  const { top, bottom } = link.getBoundingClientRect();
  const frame = aside.getBoundingClientRect();
  const isShown = top >= frame.top && bottom <= frame.bottom;
  if (!isShown) aside.scrollTop += (top + bottom - frame.top - frame.bottom) / 2;
}

const headingsOf = (article: HTMLElement): HTMLElement[] =>
  [...article.querySelectorAll<HTMLElement>(":is(h1, h2, h3, h4, h5, h6)[id]")].slice(0, mostHeadings);

const levelOf = (heading: HTMLElement): number => Number(heading.tagName.slice(1));

/** Returns the text of a heading without the link to itself. */
function wordsOf(heading: HTMLElement): string {
  const own = [...heading.childNodes].filter((node) => !(node instanceof Element && node.matches(".heading-link")));
  return own.map((node) => node.textContent).join("");
}

/** Returns the id of the heading that is being read, as the page scrolls and as links jump. */
function useCurrentHeading(article: HTMLElement | null, revision: number): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    if (article === null) return;
    const headings = headingsOf(article);
    const mark = (): void => setCurrent(currentOf(headings)?.id);
    // The area reaches far up: a heading that a jump takes past the whole window leaves no area that ends at its edge.
    const observer = new IntersectionObserver(mark, { rootMargin: "10000000px 0px -66% 0px" });
    for (const heading of headings) observer.observe(heading);
    addEventListener("hashchange", mark);
    return () => {
      observer.disconnect();
      removeEventListener("hashchange", mark);
    };
  }, [article, revision]);
  return current;
}

/**
 * Returns the last heading above the upper third of the window. The end of a page keeps its last headings below that: there it is the one
 * that the address names.
 */
function currentOf(headings: readonly HTMLElement[]): HTMLElement | undefined {
  const page = document.documentElement;
  if (scrollY + innerHeight >= page.scrollHeight - 2) {
    const named = headings.find(
      ({ id }) => `#${encodeURIComponent(id)}` === location.hash || `#${id}` === location.hash,
    );
    const top = named?.getBoundingClientRect().top;
    if (top !== undefined && top >= 0 && top < innerHeight) return named;
  }
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3);
  return passed.at(-1) ?? headings[0];
}
