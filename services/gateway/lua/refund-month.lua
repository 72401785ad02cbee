-- Refunds one unit to the month to which a request was charged.
--
-- KEYS   1   the store: hash `rl:store`
--        2   of the first refund: hash of the API key (`rl:<key id>`)
--        3   of the second refund, and so on
-- ARGV   1   JSON array with one array for each refund:
--            1  month of the charge, 202611 for November 2026
-- Reply  JSON array with one reply for each refund, in their order: 1 if it was stored, 0 if it was dropped.
--
-- Invariants
-- 1. A refund is dropped without a store, and when the key is charged to a later month already.
-- 2. A block of another month or another store is replaced by this unit: its rest does not count.
-- 3. An error of one refund does not affect the others. Its reply is {"err": text}.

local keep_seconds = 40 * 24 * 60 * 60
local token = redis.call('HGET', KEYS[1], 'token')

local function refund(key, arg)
  if not token then return 0 end
  local h = redis.call('HMGET', key, 'month', 'store')
  local stored_month, month = tonumber(h[1]), arg[1]
  if stored_month and stored_month > month then return 0 end
  if stored_month ~= month or h[2] ~= token then
    redis.call('HSET', key, 'month', month, 'left', 0, 'spent', 0, 'leasing', 0, 'store', token)
  end
  redis.call('HINCRBY', key, 'left', 1)
  redis.call('EXPIRE', key, keep_seconds)
  return 1
end

local replies = {}
for i, arg in ipairs(cjson.decode(ARGV[1])) do
  local ok, reply = pcall(refund, KEYS[i + 1], arg)
  if not ok then reply = {err = type(reply) == 'table' and reply.err or tostring(reply)} end
  replies[i] = reply
end
return cjson.encode(replies)
