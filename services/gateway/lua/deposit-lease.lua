-- Adds the units of leased blocks to the months of their keys, or marks months as used up.
--
-- KEYS   1   the store: hash `rl:store`
--        2   of the first deposit: hash of the API key (`rl:<key id>`)
--        3   of the second deposit, and so on
-- ARGV   1   JSON array with one array for each deposit:
--            1  month, 202611 for November 2026
--            2  units to add
--            3  1 if Postgres granted nothing because the quota is used up, else 0
-- Reply  JSON array with one reply for each deposit, in their order: 1 if it was stored, 0 if it was dropped.
--
-- Invariants
-- 1. Units are dropped without a store, and when the key is charged to a later month already. They are lost, never
--    granted twice.
-- 2. Units of another month or another store do not count.
-- 3. The deposit ends the exclusive right to lease.
-- 4. An error of one deposit does not affect the others. Its reply is {"err": text}.

local keep_seconds = 40 * 24 * 60 * 60
local token = redis.call('HGET', KEYS[1], 'token')

local function deposit(key, arg)
  if not token then return 0 end
  local h = redis.call('HMGET', key, 'month', 'left', 'store')
  local stored_month, month = tonumber(h[1]), arg[1]
  if stored_month and stored_month > month then return 0 end
  local left = stored_month == month and h[3] == token and tonumber(h[2]) or 0
  redis.call('HSET', key, 'month', month, 'left', left + arg[2], 'spent', arg[3], 'leasing', 0, 'store', token)
  redis.call('EXPIRE', key, keep_seconds)
  return 1
end

local replies = {}
for i, arg in ipairs(cjson.decode(ARGV[1])) do
  local ok, reply = pcall(deposit, KEYS[i + 1], arg)
  if not ok then reply = {err = type(reply) == 'table' and reply.err or tostring(reply)} end
  replies[i] = reply
end
return cjson.encode(replies)
