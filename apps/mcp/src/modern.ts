import { type ChangeFeed, type Service, ServiceError } from "@kb/core";
import type { OpenStreams } from "@kb/http";
import { describeError, type Logger } from "@kb/runtime";
import { type AuthInfo, createMcpHandler, type ServerEvent, type ServerEventBus } from "@modelcontextprotocol/server";
import { z } from "zod";
import { calledTool } from "./called-tool.ts";
import type { Caller } from "./caller.ts";
import { afterEvent } from "./changes/mark.ts";
import { type Notice, ResourceFollower } from "./changes/resource-follower.ts";
import type { Offer } from "./offer.ts";
import { limits } from "./sessions/backplane.ts";

/** The dependencies of the revision without sessions. */
export type ModernContext = {
  readonly service: Service;
  readonly offer: Offer;
  readonly changes: ChangeFeed;
  readonly streams: OpenStreams;
  readonly logger: Logger;
};

/** A request of revision 2026-07-28, with its parsed body. */
export type ModernRequest = {
  readonly request: Request;
  readonly caller: Caller;
  readonly authInfo: AuthInfo;
  readonly body: unknown;
};

/** Serves a request of the revision without sessions. Each request gets its own server and leaves no state. */
export function serveModern(context: ModernContext, modern: ModernRequest): Promise<Response> {
  const { offer, logger } = context;
  const { request, caller, authInfo, body } = modern;
  const listen = Listen.safeParse(body);
  const subscriptions = listen.data?.params.notifications.resourceSubscriptions ?? [];
  if (subscriptions.length > limits.subscriptionsPerSession) {
    throw new ServiceError("validation_error", `A stream follows at most ${limits.subscriptionsPerSession} resources.`);
  }
  const following = listen.success ? follow(context, caller, listen.data.params.notifications) : undefined;
  const handler = createMcpHandler(() => offer.server(caller, calledTool(body)), {
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

type ListenFilter = z.output<typeof Listen>["params"]["notifications"];

/** Follows the team's changes while a listen stream is open. */
function follow({ changes, streams, service, logger }: ModernContext, caller: Caller, filter: ListenFilter) {
  const interest = {
    uris: new Set(filter.resourceSubscriptions),
    list: filter.resourcesListChanged === true,
  };
  let endStream = (): void => {};
  const subscribe = (emit: (event: ServerEvent) => void): (() => void) => {
    let ended = false;
    const cleanups = [
      streams.add({
        actor: caller.actor,
        principal: caller.principal,
        openedAt: service.clock.now(),
        end: () => endStream(),
      }),
    ];
    const begin = async (): Promise<void> => {
      const follower = new ResourceFollower(service, {
        caller,
        mark: afterEvent(await changes.head(caller.actor.teamId)),
        interest: async () => interest,
        notify: (notice) => emit(eventOf(notice)),
        refuse: () => endStream(),
      });
      const stop = await changes.follow(follower);
      if (ended) stop();
      else cleanups.push(stop);
    };
    begin().catch((error: unknown) => {
      logger.warn({ cause: describeError(error) }, "changes cannot be followed");
      endStream();
    });
    return () => {
      ended = true;
      for (const cleanup of cleanups) cleanup();
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
