import { Link } from "@tanstack/react-router";
import { type ReactElement, useId, useState } from "react";
import { useStars } from "../actions/stars.ts";
import { Icon } from "../parts/icon.tsx";
import { useWords } from "./words.tsx";

/** The stars that are shown before the reader asks for all of them. */
const fewStars = 8;

/** The documents that the reader has starred, the latest first; nothing without any. */
export function Starred(): ReactElement | null {
  const { messages } = useWords();
  const stars = useStars();
  const heading = useId();
  const [showsAll, setShowsAll] = useState(false);
  if (stars.length === 0) return null;
  const shown = showsAll ? stars : stars.slice(0, fewStars);
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{messages.starred}</h2>
      <ul>
        {shown.map(({ id, title, emoji }) => (
          <li key={id}>
            <Link
              to="/documents/$documentId"
              params={{ documentId: id }}
              className="row-link"
              activeProps={{ "aria-current": "page" }}
            >
              {emoji === null ? <Icon name="star" /> : <span aria-hidden="true">{emoji}</span>}
              <span dir="auto">{title || messages.untitled}</span>
            </Link>
          </li>
        ))}
      </ul>
      {shown.length < stars.length && (
        <button type="button" className="row-link row-more" onClick={() => setShowsAll(true)}>
          {messages.showAllStars(stars.length)}
        </button>
      )}
    </section>
  );
}
