use openapi::apis::{configuration::Configuration, results_api};
use std::env::var;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let config = Configuration {
        base_path: var("BV_PROXY_URL").unwrap(),
        bearer_access_token: var("BV_API_KEY").ok(),
        ..Configuration::new()
    };
    let (org, brand) = (var("BV_ORG").unwrap(), var("BV_BRAND").unwrap());
    let page = results_api::list_mentions(&config, &org, &brand, Some(1000), None, None, None, None, None).await.unwrap();
    let comparison = results_api::compare_scores(&config, &org, &brand, None, None, None, None, None, None, None, None).await.unwrap();
    println!("{}", serde_json::json!({ "mentions": page.data.len(), "metric": comparison.data.metric }));
}
