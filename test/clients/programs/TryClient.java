import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.BrandsApi;
import org.openapitools.client.api.OrganisationsApi;
import org.openapitools.client.api.PromptsApi;
import org.openapitools.client.api.ResultsApi;
import org.openapitools.client.model.ErrorResponse;
import org.openapitools.client.model.Brand;
import org.openapitools.client.model.CreatePromptRequest;
import org.openapitools.client.model.Mention;
import org.openapitools.client.model.MentionPage;

/** Uses the client of openapi-generator java. */
public final class TryClient {
  interface Call {
    void run() throws ApiException;
  }

  static final ApiClient live = client("BV_BASE_URL", "BV_API_KEY");
  static final ApiClient proxy = client("BV_PROXY_URL", "BV_API_KEY");
  static final ApiClient limited = client("BV_BASE_URL", "BV_LIMITED_KEY");
  static final UUID org = UUID.fromString(System.getenv("BV_ORG"));
  static final String key = System.getenv("BV_PROMPT");

  static ApiClient client(String url, String key) {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv(url));
    client.setBearerToken(System.getenv(key));
    return client;
  }

  static Object[] names(ApiClient client) throws ApiException {
    List<Brand> rows = new BrandsApi(client).listBrands(org, null, null, true).getData();
    return rows.stream().map(Brand::getName).sorted().toArray();
  }

  static void readPages(Map<String, Object> outcome) throws ApiException {
    UUID brand = UUID.fromString(System.getenv("BV_BRAND"));
    Integer limit = Integer.valueOf(System.getenv("BV_PAGE_SIZE"));
    Set<List<Object>> mentions = new HashSet<>();
    String cursor = null;
    int pages = 0;
    do {
      MentionPage page = new ResultsApi(proxy).listMentions(org, brand, limit, cursor, null, null, null, null);
      for (Mention row : page.getData()) {
        mentions.add(Arrays.asList(row.getPromptId(), row.getCountry(), row.getPlatform()));
      }
      cursor = page.getPagination().getNextCursor();
      pages++;
    } while (cursor != null);
    outcome.put("pages", pages);
    outcome.put("mentions", mentions.size());
  }

  static UUID create(String text) throws ApiException {
    UUID brand = UUID.fromString(System.getenv("BV_OTHER_BRAND"));
    CreatePromptRequest body = new CreatePromptRequest().text(text).countries(List.of("US"));
    return new PromptsApi(live).createPrompt(org, brand, body, key).getData().getId();
  }

  static String refusal(Call call) throws Exception {
    try {
      call.run();
      return "never";
    } catch (ApiException refused) {
      return refused.getCode() + " " + ErrorResponse.fromJson(refused.getResponseBody()).getError().getCode();
    }
  }

  static void exceed() throws ApiException {
    for (int call = 0; call < 10; call++) {
      new OrganisationsApi(limited).listOrgs(null, null);
    }
  }

  public static void main(String[] words) throws Exception {
    Map<String, Object> outcome = new TreeMap<>();
    readPages(outcome);
    outcome.put("own_brands", names(live));
    outcome.put("replayed", create(key).equals(create(key)));
    outcome.put("conflict", refusal(() -> create("Another text?")));
    outcome.put("limited", refusal(TryClient::exceed));
    outcome.put("unknown_field", names(proxy));
    outcome.put(
        "unknown_field_of_error",
        refusal(() -> new BrandsApi(proxy).listBrands(UUID.fromString(System.getenv("BV_UNKNOWN_ORG")), null, null, null)));
    System.out.println(JSON.getGson().toJson(outcome));
  }
}
