// Uses the client of openapi-generator go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"

	"client/api"
)

var (
	ctx     = context.Background()
	live    = client("BV_BASE_URL", "BV_API_KEY")
	proxy   = client("BV_PROXY_URL", "BV_API_KEY")
	limited = client("BV_BASE_URL", "BV_LIMITED_KEY")
	org     = os.Getenv("BV_ORG")
	key     = os.Getenv("BV_PROMPT")
)

func client(url, key string) *api.APIClient {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv(url)}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Getenv(key))
	return api.NewAPIClient(configuration)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func names(c *api.APIClient) []string {
	page, _, err := c.BrandsAPI.ListBrands(ctx, org).IsOwn(true).Execute()
	check(err)
	names := []string{}
	for _, row := range page.Data {
		names = append(names, row.Name)
	}
	sort.Strings(names)
	return names
}

func readPages() (pages int, mentions int) {
	limit, err := strconv.Atoi(os.Getenv("BV_PAGE_SIZE"))
	check(err)
	seen := map[string]bool{}
	request := proxy.ResultsAPI.ListMentions(ctx, org, os.Getenv("BV_BRAND")).Limit(int32(limit))
	for {
		page, _, err := request.Execute()
		check(err)
		pages++
		for _, row := range page.Data {
			seen[fmt.Sprint(row.PromptId, row.Country, row.Platform)] = true
		}
		cursor := page.Pagination.NextCursor.Get()
		if cursor == nil {
			return pages, len(seen)
		}
		request = request.Cursor(*cursor)
	}
}

func create(text string) (string, error) {
	body := api.NewCreatePromptRequest(text, []string{"US"})
	request := live.PromptsAPI.CreatePrompt(ctx, org, os.Getenv("BV_OTHER_BRAND"))
	created, _, err := request.CreatePromptRequest(*body).IdempotencyKey(key).Execute()
	if err != nil {
		return "", err
	}
	return created.Data.Id, nil
}

func refusal(err error) string {
	var refused *api.GenericOpenAPIError
	if !errors.As(err, &refused) {
		return fmt.Sprint("no refusal: ", err)
	}
	model, ok := refused.Model().(api.ErrorResponse)
	if !ok {
		return fmt.Sprintf("another model: %T", refused.Model())
	}
	return refused.Error()[:4] + model.Error.Code
}

func exceed() error {
	for range 10 {
		if _, _, err := limited.OrganisationsAPI.ListOrgs(ctx).Execute(); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	pages, mentions := readPages()
	first, err := create(key)
	check(err)
	again, err := create(key)
	check(err)
	_, reused := create("Another text?")
	_, _, unknown := proxy.BrandsAPI.ListBrands(ctx, os.Getenv("BV_UNKNOWN_ORG")).Execute()
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"own_brands":             names(live),
		"pages":                  pages,
		"mentions":               mentions,
		"replayed":               first == again,
		"conflict":               refusal(reused),
		"limited":                refusal(exceed()),
		"unknown_field":          names(proxy),
		"unknown_field_of_error": refusal(unknown),
	}))
}
