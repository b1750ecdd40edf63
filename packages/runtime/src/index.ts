export { addressList, isInList } from "./address-list.ts";
export { connectRedis } from "./connect-redis.ts";
export { describeError } from "./describe-error.ts";
export { type HealthOptions, reportHealth } from "./health.ts";
export { healthListener } from "./health-listener.ts";
export { keepMemoryLow } from "./keep-memory-low.ts";
export { createLifecycle, type Lifecycle } from "./lifecycle.ts";
export type { Allowance, Limiter, Verdict } from "./limiter/limiter.ts";
export { openLimiter } from "./limiter/open-limiter.ts";
export { processLimiter } from "./limiter/process-limiter.ts";
export { redisLimiter } from "./limiter/redis-limiter.ts";
export { logFilesState } from "./log-files-state.ts";
export { createLogger, type Logger } from "./logger.ts";
export { EnvironmentError, readEnvironment } from "./read-environment.ts";
export { requireSameDatabase } from "./require-same-database.ts";
export {
  type OpenedProcess,
  type ProcessContext,
  type ProcessDefinition,
  type ProcessEnvironment,
  runProcess,
} from "./run-process.ts";
export { stopOnSignals } from "./signals.ts";
export { type RunningServer, type ServerOptions, startServer } from "./start-server.ts";
export {
  AppSecret,
  DatabaseUrl,
  isInsecureOrigin,
  LogLevel,
  Origin,
  ProxyList,
  RedisUrl,
  SecureUrl,
  Switch,
  wholeNumber,
} from "./variable-types.ts";
export {
  DataFolderVariables,
  EdgeVariables,
  HostVariables,
  InstallationVariables,
  MailVariables,
  PasswordVariables,
  Port,
  QuotaVariables,
  RateLimitVariables,
  ReplicaVariables,
  requireWholeMail,
  SecretVariables,
} from "./variables.ts";
