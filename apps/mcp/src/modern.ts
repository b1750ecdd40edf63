import type { Service } from "@kb/core";
import { describeError, type Logger } from "@kb/http";
import { type AuthInfo, createMcpHandler, type ServerEvent, type ServerEventBus } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Caller } from "./caller.ts";
import type { ChangeFeed } from "./changes/feed.ts";
import type { Interest, Notice } from "./changes/follower.ts";
import type { Offer } from "./offer.ts";
import type { OpenStreams } from "./streams/open-streams.ts";

/** What serving the revision without sessions stands on. */
export type ModernContext = {
  readonly service: Service;
  readonly offer: Offer;
  readonly feed: ChangeFeed;
  readonly streams: OpenStreams;
  readonly logger: Logger;
};

/** A request of revision 2026-07-28, and the parsed body. */
export type ModernRequest = {
  readonly request: Request;
  readonly caller: Caller;
  readonly authInfo: AuthInfo;
  readonly body: unknown;
};

/** Serves a request of the revision without sessions: a server for it alone, and nothing is kept. */
export function serveModern(context: ModernContext, asked: ModernRequest): Promise<Response> {
  const { offer, logger } = context;
  const { request, caller, authInfo, body } = asked;
  const wanted = Listen.safeParse(body);
  const following = wanted.success ? follow(context, caller, wanted.data.params.notifications) : undefined;
  const handler = createMcpHandler(() => offer.server(caller), {
    legacy: "reject",
    onerror: (error) => logger.debug({ cause: describeError(error) }, "an MCP request was refused"),
    ...(following === undefined ? {} : { bus: following.bus }),
  });
  following?.onEnd(() => void handler.close());
  return handler.fetch(request, { authInfo, parsedBody: body });
}

const Listen = z.object({
  method: z.literal("subscriptions/listen"),
  params: z.object({
    notifications: z.object({
      resourcesListChanged: z.boolean().optional(),
      resourceSubscriptions: z.array(z.string()).optional(),
    }),
  }),
});

type Wanted = z.output<typeof Listen>["params"]["notifications"];

/** Follows the team's changes while a listen stream is open: from its subscription to the bus to its end. */
function follow({ feed, streams, service, logger }: ModernContext, caller: Caller, wanted: Wanted) {
  const interest: Interest = {
    uris: new Set(wanted.resourceSubscriptions),
    list: wanted.resourcesListChanged === true,
  };
  let endStream = (): void => {};
  const subscribe = (hear: (event: ServerEvent) => void): (() => void) => {
    let ended = false;
    const endings = [
      streams.add({
        actor: caller.actor,
        principal: caller.principal,
        openedAt: service.clock.now(),
        end: () => endStream(),
      }),
    ];
    const begin = async (): Promise<void> => {
      const mark = await feed.markOf(caller.actor.teamId);
      const stop = await feed.follow({
        caller,
        mark,
        interest: async () => interest,
        tell: (notice) => hear(eventOf(notice)),
        refused: () => endStream(),
      });
      if (ended) stop();
      else endings.push(stop);
    };
    begin().catch((error: unknown) => {
      logger.warn({ cause: describeError(error) }, "changes cannot be followed");
      endStream();
    });
    return () => {
      ended = true;
      for (const ending of endings) ending();
    };
  };
  const bus: ServerEventBus = { publish: () => {}, subscribe };
  return {
    bus,
    onEnd: (end: () => void) => {
      endStream = end;
    },
  };
}

function eventOf(notice: Notice): ServerEvent {
  return notice.kind === "updated" ? { kind: "resource_updated", uri: notice.uri } : { kind: "resources_list_changed" };
}
