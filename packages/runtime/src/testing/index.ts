export { type RedisServer, redisServer } from "./redis-server.ts";
export { sendRaw } from "./send-raw.ts";
