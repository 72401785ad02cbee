// Uses the client of oapi-codegen.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sort"
	"strconv"

	"client/api"

	"github.com/google/uuid"
)

var (
	ctx     = context.Background()
	live    = client("BV_BASE_URL", "BV_API_KEY")
	proxy   = client("BV_PROXY_URL", "BV_API_KEY")
	limited = client("BV_BASE_URL", "BV_LIMITED_KEY")
	org     = uuid.MustParse(os.Getenv("BV_ORG"))
	key     = os.Getenv("BV_PROMPT")
)

func client(url, key string) *api.ClientWithResponses {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv(key))
		return nil
	}
	client, err := api.NewClientWithResponses(os.Getenv(url), api.WithRequestEditorFn(authorize))
	check(err)
	return client
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func names(c *api.ClientWithResponses) []string {
	own := true
	response, err := c.ListBrandsWithResponse(ctx, org, &api.ListBrandsParams{IsOwn: &own})
	check(err)
	names := []string{}
	for _, row := range response.JSON200.Data {
		names = append(names, row.Name)
	}
	sort.Strings(names)
	return names
}

func readPages() (pages int, mentions int) {
	limit, err := strconv.Atoi(os.Getenv("BV_PAGE_SIZE"))
	check(err)
	seen := map[string]bool{}
	params := api.ListMentionsParams{Limit: &limit}
	for {
		brand := uuid.MustParse(os.Getenv("BV_BRAND"))
		response, err := proxy.ListMentionsWithResponse(ctx, org, brand, &params)
		check(err)
		pages++
		for _, row := range response.JSON200.Data {
			seen[fmt.Sprint(row.PromptId, row.Country, row.Platform)] = true
		}
		params.Cursor = response.JSON200.Pagination.NextCursor
		if params.Cursor == nil {
			return pages, len(seen)
		}
	}
}

func create(text string) *api.CreatePromptResponse {
	brand := uuid.MustParse(os.Getenv("BV_OTHER_BRAND"))
	body := api.CreatePromptRequest{Text: text, Countries: []string{"US"}}
	response, err := live.CreatePromptWithResponse(ctx, org, brand, &api.CreatePromptParams{IdempotencyKey: &key}, body)
	check(err)
	return response
}

func exceed() string {
	for range 10 {
		response, err := limited.ListOrgsWithResponse(ctx, &api.ListOrgsParams{})
		check(err)
		if response.JSON429 != nil {
			return "429 " + response.JSON429.Error.Code
		}
	}
	return "never"
}

func main() {
	pages, mentions := readPages()
	first, again, reused := create(key), create(key), create("Another text?")
	unknown, err := proxy.ListBrandsWithResponse(ctx, uuid.MustParse(os.Getenv("BV_UNKNOWN_ORG")), &api.ListBrandsParams{})
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"own_brands":             names(live),
		"pages":                  pages,
		"mentions":               mentions,
		"replayed":               first.JSON201.Data.Id == again.JSON201.Data.Id,
		"conflict":               "409 " + reused.JSON409.Error.Code,
		"limited":                exceed(),
		"unknown_field":          names(proxy),
		"unknown_field_of_error": "404 " + unknown.JSON404.Error.Code,
	}))
}
