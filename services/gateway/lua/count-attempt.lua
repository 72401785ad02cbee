-- Counts failed attempts of client addresses in the current minute.
--
-- KEYS   1   the store: hash `rl:store`. This script does not read it.
--        2   of the first attempt: hash of the address (`fa:<address>`)
--        3   of the second attempt, and so on
-- ARGV   1   JSON array with one array for each attempt:
--            1  deadline in milliseconds since the epoch
-- Reply  JSON array with one reply for each attempt, in their order: [now, minute, count].
--        `now` is in milliseconds and `minute` in minutes since the epoch. `count` includes this attempt. It is -1 when
--        the deadline has passed.
--
-- Invariants
-- 1. After its deadline an attempt is not counted.
-- 2. Attempts of an earlier minute do not count.
-- 3. An error of one attempt does not affect the others. Its reply is {"err": text}.

local keep_seconds = 120

local time = redis.call('TIME')
local seconds = tonumber(time[1])
local now = seconds * 1000 + math.floor(tonumber(time[2]) / 1000)
local minute = math.floor(seconds / 60)

local function count_attempt(address, arg)
  if now > arg[1] then return {now, minute, -1} end
  local h = redis.call('HMGET', address, 'minute', 'count')
  local count = (tonumber(h[1]) == minute and tonumber(h[2]) or 0) + 1
  redis.call('HSET', address, 'minute', minute, 'count', count)
  redis.call('EXPIRE', address, keep_seconds)
  return {now, minute, count}
end

local replies = {}
for i, arg in ipairs(cjson.decode(ARGV[1])) do
  local ok, reply = pcall(count_attempt, KEYS[i + 1], arg)
  if not ok then reply = {err = type(reply) == 'table' and reply.err or tostring(reply)} end
  replies[i] = reply
end
return cjson.encode(replies)
