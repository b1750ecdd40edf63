import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { call } from "../../api/call.ts";
import { useChange } from "../../api/change.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { CopyField } from "../../parts/form/copy-field.tsx";
import { Loading } from "../../parts/loading.tsx";
import { NotFound } from "../not-found.tsx";
import { allChannelsQuery, type Channel } from "./all-channels.ts";
import { ChannelForm, isSameChoice } from "./channel-form.tsx";
import { ChannelSources } from "./channel-sources.tsx";
import { ChannelTokens } from "./channel-tokens.tsx";
import { SettingsScreen } from "./settings-screen.tsx";

/** One channel: what it publishes and where, its tokens, and its settings. */
export function ChannelDetail({ id }: { readonly id: string }): ReactElement {
  const { channels: words } = settingsWords;
  const channels = useQuery(allChannelsQuery);
  const channel = channels.data?.find((each) => each.id === id);
  if (channels.data !== undefined && channel === undefined) return <NotFound />;
  return (
    <SettingsScreen title={channel?.name ?? words.title}>
      {channel === undefined ? <Loading query={channels} /> : <ChannelParts channel={channel} />}
    </SettingsScreen>
  );
}

function ChannelParts({ channel }: { readonly channel: Channel }): ReactElement {
  const { channels: words } = settingsWords;
  const update = useChange("channels.update");
  const { id, name, collections, tags, format } = channel;
  return (
    <>
      <p>
        <ChannelSources channel={channel} />
      </p>
      <CopyField label={words.address} text={`${location.origin}/api/v1/published/${id}/documents`} />
      <p className="quiet">{words.addressHelp}</p>
      <ChannelTokens channelId={id} />
      <section>
        <h2>{words.settings}</h2>
        <ChannelForm
          id={id}
          initial={{ name, format, collectionIds: idsOf(collections), tagIds: idsOf(tags) }}
          submitLabel={words.save}
          onSave={async ({ collectionIds, tagIds, ...values }) => {
            // What is hidden or deleted stays as it is unless the choice changed.
            await update.mutateAsync({
              id,
              ...values,
              ...(!isSameChoice(collectionIds, idsOf(collections)) && { collectionIds }),
              ...(!isSameChoice(tagIds, idsOf(tags)) && { tagIds }),
            });
            notify({ text: words.saved });
          }}
        />
      </section>
      <RemoveChannel channel={channel} />
    </>
  );
}

const idsOf = (named: readonly { readonly id: string }[]): string[] => named.map(({ id }) => id);

function RemoveChannel({ channel: { id, name } }: { readonly channel: Channel }): ReactElement {
  const { channels: words } = settingsWords;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  return (
    <section>
      <button type="button" className="button alarm" onClick={() => setAsking(true)}>
        {words.remove}
      </button>
      {isAsking && (
        <ConfirmAction
          title={words.removeTitle(name)}
          text={words.removeText}
          action={words.remove}
          run={async () => {
            await call("channels.delete", { id });
            notify({ text: words.removed(name) });
            // Leaves before the lists are read again, because the channel is not there any more.
            await navigate({ to: "/settings/$", params: { _splat: "channels" } });
            await queries.invalidateQueries();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
