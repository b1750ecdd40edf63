import type { ReactElement } from "react";
import { timeFormat } from "../../messages/dates.ts";
import type { Locale } from "../../messages/index.ts";
import { useWords } from "../app/words.tsx";
import { useServerTime, type WordedTime } from "./server-times.ts";

/** A time in the reader's language, with the exact one for those who point at it. */
export function When({ time }: { readonly time: string }): ReactElement {
  const { locale } = useWords();
  const { day, exact } = useServerTime(time) ?? wordTime(time, locale);
  return (
    <time dateTime={time} title={exact}>
      {day}
    </time>
  );
}

function wordTime(time: string, locale: Locale): WordedTime {
  const { day, exact } = timeFormat(locale);
  const date = new Date(time);
  return { day: day.format(date), exact: exact.format(date) };
}
