/** Every script runs on Redis's own clock, so that all gateways share one, and reads it first. */
export const clock = `
local t = redis.call('TIME')
local seconds = tonumber(t[1])
local now = seconds * 1000 + math.floor(tonumber(t[2]) / 1000)
`;

/** Says of a Redis whose counters they are, so that one that was emptied or began anew is never taken for full. */
export const storeName = 'rl:store';

/** Minute and month of an API key. */
export const allowanceKey = (keyId: string): string => `rl:${keyId}`;

/**
 * One script for a whole batch of calls. KEYS: the store, then the keys of each call, of the same number. ARGV: a JSON
 * array with the array of each call's arguments. Answers the calls' replies in their order, as JSON; one that fails
 * fails alone, with `{"err"}`.
 */
const forEachCall = (shared: string, body: string): string => `${clock}${shared}
local function run(key, address, arg)
${body}
end
local replies, calls = {}, cjson.decode(ARGV[1])
local keys = (#KEYS - 1) / #calls
for i, arg in ipairs(calls) do
  local first = (i - 1) * keys + 2
  local ok, reply = pcall(run, KEYS[first], KEYS[first + 1], arg)
  if not ok then reply = {err = type(reply) == 'table' and reply.err or tostring(reply)} end
  replies[i] = reply
end
return cjson.encode(replies)
`;

/** A call whose caller has given up by now must change nothing. */
const deadline = `
if now > arg[1] then return {'late', now} end
`;

/** Time in which gateways that nobody knew of tell of themselves to a store that was made anew. */
export const gatherMs = 600;

/**
 * A store that is missing, or new in this minute and not told of everything, cannot be counted with. A clock that
 * was set back to long before the store was made keeps nobody out.
 */
const store = `
local store = redis.call('HMGET', KEYS[1], 'since', 'awaited', 'opens', 'token')
local complete = store[1] and true
if complete then
  local opensIn = tonumber(store[3]) - now
  if opensIn > 0 and opensIn <= ${gatherMs} then complete = false end
  local age = math.floor(seconds / 60) - tonumber(store[1])
  if (age == 0 or age == -1) and tonumber(store[2]) > 0 then complete = false end
end
`;

const complete = `
if not complete then return {'lost', now} end
`;

/** The UTC calendar month, 202611 for November 2026 (Howard Hinnant's civil_from_days). */
const calendarMonth = `
local z = math.floor(seconds / 86400) + 719468
local era = math.floor(z / 146097)
local doe = z - era * 146097
local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
local mp = math.floor((5 * doy + 2) / 153)
local m = mp < 10 and mp + 3 or mp - 9
local month = (yoe + era * 400 + (m <= 2 and 1 or 0)) * 100 + m
`;

export const keepSeconds = 40 * 24 * 60 * 60;

/**
 * Of a key, read once: its minute and count, its month with what is left of the leased block. What was leased into
 * another store, which a restarted Redis may have read from its disk, is not handed out again.
 */
const readKey = `
local h = redis.call('HMGET', key, 'minute', 'count', 'month', 'left', 'spent', 'leasing', 'store')
local same = tonumber(h[3]) == month and h[7] == store[4]
local left = same and tonumber(h[4]) or 0
`;

/**
 * Of a month whose leased block is used up. Of all gateways only one at a time is told to lease the next block, so
 * that a Redis that dies never holds more than one.
 */
const askForLease = `
if same and h[5] == '1' then return {'quota', now, count, month, minute} end
if same and (tonumber(h[6]) or 0) > now then return {'wait', now, count, month, minute} end
redis.call('HSET', key, 'month', month, 'left', 0, 'spent', 0, 'leasing', now + arg[2],
  'store', store[4])
redis.call('EXPIRE', key, ${keepSeconds})
return {'lease', now, count, month, minute}
`;

/**
 * An address that presented too many refused keys in this minute is refused before anything is charged. A batch reads
 * each address once: this script counts no attempts.
 */
const gate = `
local f = attempts[address]
if not f then
  f = redis.call('HMGET', address, 'minute', 'count')
  attempts[address] = f
end
if tonumber(f[1]) == math.floor(seconds / 60) and tonumber(f[2]) >= arg[7] then
  return {'gate', now, 0, 0, math.floor(seconds / 60)}
end
`;

/**
 * Keys: the API key's hash, the client address's. Arguments: deadline, leasing time, allowance, minute and count this
 * gateway has seen last, what to charge to the month (`none`, `unlimited` or `quota`), and how many failed attempts
 * of the address are too many.
 * The count seen last restores the window of a Redis that lost it. A clock that steps back stays in the window.
 */
export const chargeRequestScript = forEachCall(
  `${store}${calendarMonth}
local attempts = {}`,
  `${deadline}${gate}${complete}${readKey}
local minute = math.floor(seconds / 60)
local stored = tonumber(h[1])
if stored and stored == minute + 1 then minute = stored end
local count = stored == minute and tonumber(h[2]) or 0
if arg[4] == minute then count = math.max(count, arg[5]) end
if count >= arg[3] then return {'rate', now, count, month, minute} end
count = count + 1
local leased = arg[6] == 'quota' and left > 0
if leased then
  redis.call('HSET', key, 'minute', minute, 'count', count, 'left', left - 1)
else
  redis.call('HSET', key, 'minute', minute, 'count', count)
end
if stored ~= minute then redis.call('EXPIRE', key, ${keepSeconds}) end
if leased or arg[6] ~= 'quota' then return {'ok', now, count, month, minute} end
${askForLease}`,
);

/** The month's part alone, for a request whose minute is already charged. Arguments: deadline, leasing time. */
export const chargeMonthScript = forEachCall(
  store + calendarMonth,
  `${deadline}${complete}${readKey}
local count, minute = 0, 0
if left > 0 then
  redis.call('HSET', key, 'left', left - 1)
  return {'ok', now, count, month, minute}
end
${askForLease}`,
);

/** Puts what was leased into the month, or marks the month as spent. Arguments: month, units, spent. */
export const depositLeaseScript = forEachCall(
  store,
  `
local token = store[4]
if not token then return 0 end
local h = redis.call('HMGET', key, 'month', 'left', 'store')
local stored, month = tonumber(h[1]), arg[1]
if stored and stored > month then return 0 end
local left = stored == month and h[3] == token and tonumber(h[2]) or 0
redis.call('HSET', key, 'month', month, 'left', left + arg[2], 'spent', arg[3], 'leasing', 0,
  'store', token)
redis.call('EXPIRE', key, ${keepSeconds})
return 1
`,
);

/** Gives one request back to the month it was charged to. Argument: month. */
export const refundMonthScript = forEachCall(
  store,
  `
local token = store[4]
if not token then return 0 end
local h = redis.call('HMGET', key, 'month', 'store')
local stored, month = tonumber(h[1]), arg[1]
if stored and stored > month then return 0 end
if stored ~= month or h[2] ~= token then
  redis.call('HSET', key, 'month', month, 'left', 0, 'spent', 0, 'leasing', 0, 'store', token)
end
redis.call('HINCRBY', key, 'left', 1)
redis.call('EXPIRE', key, ${keepSeconds})
return 1
`,
);

/** One more failed attempt. Argument: deadline. */
export const countAttemptScript = forEachCall(
  '',
  `
local minute = math.floor(seconds / 60)
if now > arg[1] then return {now, minute, -1} end
local h = redis.call('HMGET', key, 'minute', 'count')
local count = (tonumber(h[1]) == minute and tonumber(h[2]) or 0) + 1
redis.call('HSET', key, 'minute', minute, 'count', count)
redis.call('EXPIRE', key, 120)
return {now, minute, count}
`,
);
