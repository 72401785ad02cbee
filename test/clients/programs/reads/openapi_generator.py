import json
import os
import sys

sys.path.insert(0, "client")
from openapi_client import ApiClient, Configuration, ResultsApi

env = os.environ
api = ResultsApi(ApiClient(Configuration(host=env["BV_PROXY_URL"], access_token=env["BV_API_KEY"])))
at = (env["BV_ORG"], env["BV_BRAND"])
page = api.list_mentions(*at, limit=1000)
comparison = api.compare_scores(*at).data
print(json.dumps({"mentions": len(page.data), "metric": comparison.metric}))
