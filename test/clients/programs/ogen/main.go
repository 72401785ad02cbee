// Uses the client of ogen.
package main

import (
	"context"
	"encoding/json"
	"fmt"
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

type secret string

func (s secret) ApiKey(context.Context, api.OperationName) (api.ApiKey, error) {
	return api.ApiKey{Token: string(s)}, nil
}

func client(url, key string) *api.Client {
	client, err := api.NewClient(os.Getenv(url), secret(os.Getenv(key)))
	check(err)
	return client
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func names(c *api.Client) []string {
	response, err := c.ListBrands(ctx, api.ListBrandsParams{OrgId: org, IsOwn: api.NewOptBool(true)})
	check(err)
	names := []string{}
	for _, row := range response.(*api.BrandPageHeaders).Response.Data {
		names = append(names, row.Name)
	}
	sort.Strings(names)
	return names
}

func readPages() (pages int, mentions int) {
	limit, err := strconv.Atoi(os.Getenv("BV_PAGE_SIZE"))
	check(err)
	seen := map[string]bool{}
	brand := uuid.MustParse(os.Getenv("BV_BRAND"))
	params := api.ListMentionsParams{OrgId: org, BrandId: brand, Limit: api.NewOptInt(limit)}
	for {
		response, err := proxy.ListMentions(ctx, params)
		check(err)
		page := response.(*api.MentionPageHeaders).Response
		pages++
		for _, row := range page.Data {
			seen[fmt.Sprint(row.PromptID, row.Country, row.Platform)] = true
		}
		cursor, ok := page.Pagination.NextCursor.Get()
		if !ok {
			return pages, len(seen)
		}
		params.Cursor = api.NewOptString(cursor)
	}
}

func create(text string) api.CreatePromptRes {
	params := api.CreatePromptParams{
		OrgId:          org,
		BrandId:        uuid.MustParse(os.Getenv("BV_OTHER_BRAND")),
		IdempotencyKey: api.NewOptString(key),
	}
	body := &api.CreatePromptRequest{Text: text, Countries: []string{"US"}}
	response, err := live.CreatePrompt(ctx, body, params)
	check(err)
	return response
}

// Each status has its own type, so that the type tells the status.
func refusal(response any) string {
	switch refused := response.(type) {
	case *api.ErrorResponseHeaders:
		return "409 " + refused.Response.Error.Code
	case *api.TooManyRequestsHeaders:
		return "429 " + refused.Response.Error.Code
	case *api.NotFoundForReadHeaders:
		return "404 " + refused.Response.Error.Code
	}
	return fmt.Sprintf("another type: %T", response)
}

func exceed() any {
	for range 10 {
		response, err := limited.ListOrgs(ctx, api.ListOrgsParams{})
		check(err)
		if _, ok := response.(*api.OrganisationPageHeaders); !ok {
			return response
		}
	}
	return nil
}

func main() {
	pages, mentions := readPages()
	first := create(key).(*api.PromptEnvelopeHeaders).Response.Data.ID
	again := create(key).(*api.PromptEnvelopeHeaders).Response.Data.ID
	unknown, err := proxy.ListBrands(ctx, api.ListBrandsParams{OrgId: uuid.MustParse(os.Getenv("BV_UNKNOWN_ORG"))})
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"own_brands":             names(live),
		"pages":                  pages,
		"mentions":               mentions,
		"replayed":               first == again,
		"conflict":               refusal(create("Another text?")),
		"limited":                refusal(exceed()),
		"unknown_field":          names(proxy),
		"unknown_field_of_error": refusal(unknown),
	}))
}
