import {
  type Limiter,
  openLimiter,
  type ProcessContext,
  type ProcessDefinition,
  type ProcessEnvironment,
  runProcess,
} from "@kb/runtime";
import type { Redis } from "ioredis";
import { type ClientIp, clientIp } from "./client-ip.ts";
import { type Fetch, requestListener } from "./serve.ts";

/** The variables that every app behind the proxy reads: `EdgeVariables`. */
type EdgeEnvironment = ProcessEnvironment & {
  readonly REDIS_URL?: string | undefined;
  readonly TRUSTED_PROXIES: readonly string[];
};

/** The parts of a process that every app behind the proxy uses. */
type EdgeProcessContext<Environment> = ProcessContext<Environment> & {
  readonly clientIp: ClientIp;
  readonly limiter: Limiter;
  /** Undefined where the app runs without Redis. */
  readonly redis: Redis | undefined;
};

/** An app that is ready to serve. */
type OpenedEdge = {
  readonly fetch: Fetch;
  /** Called after the last request. */
  readonly close?: () => void;
};

type EdgeProcessDefinition<Environment extends EdgeEnvironment> = Omit<ProcessDefinition<Environment>, "open"> & {
  readonly open: (context: EdgeProcessContext<Environment>) => OpenedEdge | Promise<OpenedEdge>;
};

/** Runs an app that serves requests behind the proxy as a process of its own, until a signal stops it. */
export function runEdgeProcess<Environment extends EdgeEnvironment>(
  definition: EdgeProcessDefinition<Environment>,
): void {
  runProcess<Environment>({
    ...definition,
    open: async (context) => {
      const { env, logger, service } = context;
      const limits = await openLimiter(env.REDIS_URL, logger, service.telemetry);
      const { fetch, close } = await definition.open({
        ...context,
        ...limits,
        clientIp: clientIp(env.TRUSTED_PROXIES),
      });
      return {
        listener: requestListener(fetch, env.HOST),
        close: () => {
          close?.();
          limits.redis?.disconnect();
        },
      };
    },
  });
}
