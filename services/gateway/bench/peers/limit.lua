-- Key check and the gateway's own counting script, as an nginx with Lua would have them.
local redis = require('nginx.redis')
local limit = {}
local allowances = {}

function limit.load(file)
  for line in io.lines(file) do
    local key, allowance = line:match('^(%S+) (%d+)$')
    allowances[ngx.sha1_bin(key)] = allowance
  end
end

local function refuse(status, code)
  ngx.status = status
  ngx.say('{"error":{"code":"' .. code .. '"}}')
  return ngx.exit(status)
end

function limit.check()
  local key = (ngx.var.http_authorization or ''):match('^Bearer (%S+)$')
  local allowance = key and allowances[ngx.sha1_bin(key)]
  if not allowance then return refuse(401, 'invalid_api_key') end
  local connection = redis:new()
  connection:set_timeout(150)
  if not connection:connect('127.0.0.1', {{redis port}}) then return refuse(503, 'rate_limit_unavailable') end
  if (connection:get_reused_times() or 0) == 0 then connection:select({{redis database}}) end
  local late = math.floor(ngx.now() * 1000) + 150
  local call = string.format('[[%d,500,%d,0,0,"unlimited",20]]', late, allowance)
  local reply, problem = connection:evalsha('{{sha}}', 3, 'rl:store', 'lua:' .. key, 'fa:' .. ngx.var.remote_addr, call, 'nginx')
  connection:set_keepalive(60000, 128)
  local state, now, count, minute = (reply or ''):match('^%[%["(%a+)",(%d+),(%d+),%d+,(%d+)%]%]$')
  if not state then
    ngx.log(ngx.ERR, problem or reply)
    return refuse(503, 'rate_limit_unavailable')
  end
  local reset = (minute + 1) * 60
  ngx.header['X-RateLimit-Limit'] = allowance
  ngx.header['X-RateLimit-Remaining'] = math.max(0, allowance - count)
  ngx.header['X-RateLimit-Reset'] = reset
  if state == 'rate' then
    ngx.header['Retry-After'] = math.ceil(reset - now / 1000)
    return refuse(429, 'rate_limited')
  end
end

return limit
