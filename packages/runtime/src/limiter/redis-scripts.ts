import { partMs, partsPerWindow } from "./spending.ts";

/**
 * Counts in one atomic round trip, by the clock of Redis, so that the clocks of the instances do not matter. Times are in
 * microseconds. A member is unique: two scripts in the same microsecond see different counts.
 * KEYS[2] holds what was spent, in fields `<part>:<kind>`; the further arguments are the limits of the budget.
 */
export const takeScript = `
local time = redis.call("TIME")
local now = time[1] * 1000000 + time[2]
local limit, window, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]) * 1000, tonumber(ARGV[3])
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", string.format("%.0f", now - window))
local count = redis.call("ZCARD", KEYS[1])
if #ARGV > 3 then
  local first = math.floor(now / ${partMs * 1000}) - ${partsPerWindow}
  local totals, fields = {}, redis.call("HGETALL", KEYS[2])
  local parts = {}
  for index = 1, #fields, 2 do
    local part, kind = string.match(fields[index], "^(%d+):(%d+)$")
    part, kind = tonumber(part), tonumber(kind)
    if part > first then
      totals[kind] = (totals[kind] or 0) + tonumber(fields[index + 1])
      parts[part .. ":" .. kind] = tonumber(fields[index + 1])
    end
  end
  for kind = 0, #ARGV - 4 do
    local spent, allowance = totals[kind] or 0, tonumber(ARGV[kind + 4])
    if spent >= allowance then
      local part = first
      while spent >= allowance and part < first + ${partsPerWindow} do
        part = part + 1
        spent = spent - (parts[part .. ":" .. kind] or 0)
      end
      local reset = (part + ${partsPerWindow}) * ${partMs} - now / 1000
      return { 0, limit - count, math.ceil(reset), kind }
    end
  end
end
local surplus = count + wanted - limit
local allowed = surplus <= 0
local first = allowed and 0 or surplus - 1
if allowed then
  local stamp = string.format("%.0f", now)
  for _ = 1, wanted do
    redis.call("ZADD", KEYS[1], stamp, stamp .. "-" .. count)
    count = count + 1
  end
  redis.call("PEXPIRE", KEYS[1], ARGV[2])
end
local leaving = redis.call("ZRANGE", KEYS[1], first, first, "WITHSCORES")[2] or now
return { allowed and 1 or 0, limit - count, math.ceil((leaving + window - now) / 1000) }
`;

/** Adds amounts to the current part of KEYS[1], and removes the parts that have left the window. */
export const spendScript = `
local time = redis.call("TIME")
local part = math.floor((time[1] * 1000000 + time[2]) / ${partMs * 1000})
for _, field in ipairs(redis.call("HKEYS", KEYS[1])) do
  if tonumber(string.match(field, "^(%d+):")) <= part - ${partsPerWindow} then redis.call("HDEL", KEYS[1], field) end
end
for index = 1, #ARGV do
  redis.call("HINCRBY", KEYS[1], string.format("%d:%d", part, index - 1), ARGV[index])
end
redis.call("PEXPIRE", KEYS[1], ${partMs * (partsPerWindow + 1)})
`;
