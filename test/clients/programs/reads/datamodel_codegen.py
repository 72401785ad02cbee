import json
import os
from urllib.request import Request, urlopen

from models import MentionPage, ScoreComparisonEnvelope

env = os.environ


def read(path):
    url = f"{env['BV_PROXY_URL']}/orgs/{env['BV_ORG']}/brands/{env['BV_BRAND']}/{path}"
    with urlopen(Request(url, headers={"Authorization": f"Bearer {env['BV_API_KEY']}"})) as answer:
        return answer.read()


page = MentionPage.model_validate_json(read("mentions?limit=1000"))
comparison = ScoreComparisonEnvelope.model_validate_json(read("scores/compare")).data
print(json.dumps({"mentions": len(page.data), "metric": comparison.metric}))
