package main

import (
	"context"
	"encoding/json"
	"os"

	api "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	config := api.NewConfiguration()
	config.Servers = api.ServerConfigurations{{URL: os.Getenv("BV_PROXY_URL")}}
	config.AddDefaultHeader("Authorization", "Bearer "+os.Getenv("BV_API_KEY"))
	results, ctx := api.NewAPIClient(config).ResultsAPI, context.Background()
	page, _, err := results.ListMentions(ctx, os.Getenv("BV_ORG"), os.Getenv("BV_BRAND")).Limit(1000).Execute()
	if err != nil {
		panic(err)
	}
	comparison, _, err := results.CompareScores(ctx, os.Getenv("BV_ORG"), os.Getenv("BV_BRAND")).Execute()
	if err != nil {
		panic(err)
	}
	outcome := map[string]any{"mentions": len(page.Data), "metric": comparison.Data.Metric}
	_ = json.NewEncoder(os.Stdout).Encode(outcome)
}
