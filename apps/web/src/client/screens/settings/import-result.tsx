import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { Facts } from "../../parts/form/facts.tsx";
import { Loading } from "../../parts/loading.tsx";

type Result = NonNullable<OutputOf<"imports.get">["result"]>;

/** What an import has done, and everything that it did not understand. */
export function ImportResult({ id }: { readonly id: string }): ReactElement | null {
  const { imports: words } = settingsWords;
  const { locale } = useWords();
  const shown = useQuery(operationQuery("imports.get", { id }));
  if (shown.data === undefined) return <Loading query={shown} />;
  const { result, dryRun } = shown.data;
  if (result === null) return null;
  const number = new Intl.NumberFormat(locale);
  const figures = (["imported", "updated", "unchanged", "existing", "folders", "linked", "attached"] as const).filter(
    (name) => name === "imported" || result[name] > 0,
  );
  return (
    <>
      {dryRun && <p className="quiet">{words.dryResult}</p>}
      <Facts facts={figures.map((name) => [words.figures[name], number.format(result[name])] as const)} />
      <Counted title={words.others} counts={result.others} />
      <Counted title={words.unusedKeys} counts={result.unusedKeys} />
      <Problems result={result} />
    </>
  );
}

type CountedProps = { readonly title: string; readonly counts: Readonly<Record<string, number>> };

function Counted({ title, counts }: CountedProps): ReactElement | null {
  const { locale } = useWords();
  const number = new Intl.NumberFormat(locale);
  const entries = Object.entries(counts);
  if (entries.length === 0) return null;
  return (
    <p className="quiet">
      {title}{" "}
      {entries.map(([name, count], index) => (
        <span key={name}>
          {index > 0 && " · "}
          <bdi>{name === "" ? "–" : name}</bdi> {number.format(count)}
        </span>
      ))}
    </p>
  );
}

function Problems({ result: { problems, omitted } }: { readonly result: Result }): ReactElement {
  const { imports: words } = settingsWords;
  const kinds = [...Map.groupBy(problems, ({ kind }) => kind)];
  if (kinds.length === 0) return <p>{words.noProblems}</p>;
  return (
    <>
      {kinds.map(([kind, all]) => (
        <details key={kind}>
          <summary>{words.problems(kindText(kind), all.length)}</summary>
          <ul>
            {all.map(({ path, detail, explanation, count, documentId }) => (
              <li key={`${path} ${detail}`}>
                {documentId === null ? (
                  <bdi>{path}</bdi>
                ) : (
                  <Link to="/documents/$documentId" params={{ documentId }}>
                    <bdi>{path}</bdi>
                  </Link>
                )}
                {": "}
                <bdi>{words.explained(detail, explanation)}</bdi>
                {count > 1 && ` ${words.times(count)}`}
              </li>
            ))}
          </ul>
        </details>
      ))}
      {omitted > 0 && <p className="quiet">{words.omitted(omitted)}</p>}
    </>
  );
}

/** A later release may know more kinds than this page. */
function kindText(kind: string): string {
  const { kinds } = settingsWords.imports;
  return Object.entries(kinds).find(([each]) => each === kind)?.[1] ?? kinds.note;
}
