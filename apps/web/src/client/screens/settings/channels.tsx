import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useChange } from "../../api/change.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { Loading } from "../../parts/loading.tsx";
import { allChannelsQuery } from "./all-channels.ts";
import { ChannelDetail } from "./channel-detail.tsx";
import { ChannelForm } from "./channel-form.tsx";
import { ChannelSources } from "./channel-sources.tsx";
import type { SettingsPageProps } from "./settings-page-props.ts";
import { SettingsScreen } from "./settings-screen.tsx";

/** The publishing channels: the list, a new one, or one of them with its tokens. */
export function Channels({ item }: SettingsPageProps): ReactElement {
  if (item === "new") return <NewChannel />;
  return item === undefined ? <ChannelList /> : <ChannelDetail id={item} />;
}

function ChannelList(): ReactElement {
  const { channels: words } = settingsWords;
  const channels = useQuery(allChannelsQuery);
  const create = (
    <Link to="/settings/$" params={{ _splat: "channels/new" }} className="button primary">
      {words.create}
    </Link>
  );
  return (
    <SettingsScreen title={words.title} actions={create}>
      <p className="quiet">{words.help}</p>
      {channels.data === undefined ? (
        <Loading query={channels} />
      ) : channels.data.length === 0 ? (
        <p>{words.empty}</p>
      ) : (
        <ul className="rows">
          {channels.data.map((channel) => (
            <li key={channel.id}>
              <Link to="/settings/$" params={{ _splat: `channels/${channel.id}` }}>
                <span className="row-title" dir="auto">
                  {channel.name}
                </span>{" "}
                <span className="row-detail">
                  <ChannelSources channel={channel} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </SettingsScreen>
  );
}

function NewChannel(): ReactElement {
  const { channels: words } = settingsWords;
  const navigate = useNavigate();
  const create = useChange("channels.create");
  const leave = (path: string): void => void navigate({ to: "/settings/$", params: { _splat: path } });
  return (
    <SettingsScreen title={words.newTitle}>
      <ChannelForm
        initial={{ name: "", collectionIds: [], tagIds: [], format: { markdown: true, html: false } }}
        submitLabel={words.submit}
        onSave={async (values) => leave(`channels/${(await create.mutateAsync(values)).id}`)}
        onCancel={() => leave("channels")}
      />
    </SettingsScreen>
  );
}
