progenitor::generate_api!(spec = "openapi.json", interface = Builder);
use std::env::var;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut headers = reqwest::header::HeaderMap::new();
    headers.insert("authorization", format!("Bearer {}", var("BV_API_KEY").unwrap()).parse().unwrap());
    let http = reqwest::Client::builder().default_headers(headers).build().unwrap();
    let client = Client::new_with_client(&var("BV_PROXY_URL").unwrap(), http);
    let (org, brand) = (var("BV_ORG").unwrap(), var("BV_BRAND").unwrap());
    let page = client.list_mentions().org_id(org.as_str()).brand_id(brand.as_str()).limit(1000).send().await.unwrap();
    let comparison = client.compare_scores().org_id(org.as_str()).brand_id(brand.as_str()).send().await.unwrap();
    println!("{}", serde_json::json!({ "mentions": page.data.len(), "metric": comparison.data.metric }));
}
