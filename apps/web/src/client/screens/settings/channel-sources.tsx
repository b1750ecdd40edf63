import type { ReactElement } from "react";
import { isolated } from "../../../messages/isolated.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import type { Channel } from "./all-channels.ts";

/** Says what a channel publishes. */
export function ChannelSources({ channel }: { readonly channel: Channel }): ReactElement {
  const { channels: words } = settingsWords;
  const { locale } = useWords();
  const { byCollection, collections, byTag, tags } = channel;
  const names = (named: readonly { readonly name: string }[]): string =>
    new Intl.ListFormat(locale, { type: "disjunction" }).format(named.map(({ name }) => isolated(name)));
  if ((byCollection && collections.length === 0) || (byTag && tags.length === 0)) return <>{words.gone}</>;
  const from = byCollection ? words.fromCollections(names(collections)) : words.fromEverywhere;
  return <>{byTag ? words.withTags(from, names(tags)) : from}</>;
}
