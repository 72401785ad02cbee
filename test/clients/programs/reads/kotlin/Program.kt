import java.util.UUID
import org.openapitools.client.apis.ResultsApi
import org.openapitools.client.infrastructure.ApiClient

fun main() {
    ApiClient.accessToken = System.getenv("BV_API_KEY")
    val api = ResultsApi(System.getenv("BV_PROXY_URL"))
    val org = UUID.fromString(System.getenv("BV_ORG"))
    val brand = UUID.fromString(System.getenv("BV_BRAND"))
    val page = api.listMentions(org, brand, 1000)
    val comparison = api.compareScores(org, brand)
    println("""{"mentions": ${page.`data`.size}, "metric": "${comparison.`data`.metric}"}""")
}
