<?php
require '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function ($name) {
    $file = 'client/lib/' . str_replace('\\', '/', substr($name, strlen('OpenAPI\\Client\\'))) . '.php';
    if (str_starts_with($name, 'OpenAPI\\Client\\') && is_file($file)) require $file;
});
$config = OpenAPI\Client\Configuration::getDefaultConfiguration();
$config->setHost(getenv('BV_PROXY_URL'))->setAccessToken(getenv('BV_API_KEY'));
$api = new OpenAPI\Client\Api\ResultsApi(new GuzzleHttp\Client(), $config);
$page = $api->listMentions(getenv('BV_ORG'), getenv('BV_BRAND'), 1000);
$comparison = $api->compareScores(getenv('BV_ORG'), getenv('BV_BRAND'))->getData();
echo json_encode(['mentions' => count($page->getData()), 'metric' => $comparison->getMetric()]);
