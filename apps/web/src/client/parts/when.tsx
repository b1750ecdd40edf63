import type { ReactElement } from "react";
import { type TimeForm, timeFormat } from "../../messages/dates.ts";
import type { Locale } from "../../messages/index.ts";
import { useWords } from "../app/words.tsx";
import { useServerTime, type WordedTime } from "./server-times.ts";

type WhenProps = { readonly time: string; readonly form?: TimeForm | undefined };

/** A time in the reader's language, by default its day, with the exact one for those who point at it. */
export function When({ time, form = "day" }: WhenProps): ReactElement {
  const { locale } = useWords();
  const { shown, exact } = useServerTime(time, form) ?? wordTime(time, form, locale);
  return (
    <time dateTime={time} title={exact}>
      {shown}
    </time>
  );
}

function wordTime(time: string, form: TimeForm, locale: Locale): WordedTime {
  const date = new Date(time);
  return { shown: timeFormat(locale, form).format(date), exact: timeFormat(locale, "exact").format(date) };
}
