package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"github.com/google/uuid"
	"try/api"
)

func main() {
	addKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("BV_API_KEY"))
		return nil
	}
	client, err := api.NewClientWithResponses(os.Getenv("BV_PROXY_URL"), api.WithRequestEditorFn(addKey))
	if err != nil {
		panic(err)
	}
	org, brand, ctx := uuid.MustParse(os.Getenv("BV_ORG")), uuid.MustParse(os.Getenv("BV_BRAND")), context.Background()
	limit := 1000
	page, err := client.ListMentionsWithResponse(ctx, org, brand, &api.ListMentionsParams{Limit: &limit})
	if err != nil {
		panic(err)
	}
	comparison, err := client.CompareScoresWithResponse(ctx, org, brand, &api.CompareScoresParams{})
	if err != nil {
		panic(err)
	}
	outcome := map[string]any{"mentions": len(page.JSON200.Data), "metric": comparison.JSON200.Data.Metric}
	_ = json.NewEncoder(os.Stdout).Encode(outcome)
}
