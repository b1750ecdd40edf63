import type { ReactElement } from "react";
import { timeFormat } from "../../messages/dates.ts";
import { useWords } from "../app/words.tsx";

/** A time in the reader's language, with the exact one for those who point at it. */
export function When({ time }: { readonly time: string }): ReactElement {
  const { locale } = useWords();
  const { day, exact } = timeFormat(locale);
  const date = new Date(time);
  return (
    <time dateTime={time} title={exact.format(date)}>
      {day.format(date)}
    </time>
  );
}
