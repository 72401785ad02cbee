$LOAD_PATH.unshift('client/lib')
require 'json'
require 'uri'
require 'openapi_client'

OpenapiClient.configure do |config|
  url = URI(ENV.fetch('BV_PROXY_URL'))
  config.scheme, config.host, config.base_path = url.scheme, "#{url.host}:#{url.port}", url.path
  config.server_index = nil
  config.access_token = ENV.fetch('BV_API_KEY')
end
api = OpenapiClient::ResultsApi.new
at = [ENV.fetch('BV_ORG'), ENV.fetch('BV_BRAND')]
page = api.list_mentions(*at, limit: 1000)
comparison = api.compare_scores(*at).data
puts JSON.generate(mentions: page.data.length, metric: comparison.metric)
