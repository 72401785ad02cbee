/** Addresses of every range outside the public internet, with the first and last ones of ranges. */
export const privateV4 = [
  '0.0.0.0', '0.0.0.1', '0.255.255.255',
  '10.0.0.0', '10.1.2.3', '10.255.255.255',
  '100.64.0.0', '100.100.100.200', '100.127.255.255',
  '127.0.0.0', '127.0.0.1', '127.1.2.3', '127.255.255.255',
  '169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255',
  '172.16.0.0', '172.20.10.1', '172.31.255.255',
  '192.0.0.0', '192.0.0.192', '192.0.0.255', '192.0.2.1', '192.88.99.1',
  '192.168.0.0', '192.168.1.1', '192.168.255.255',
  '198.18.0.0', '198.19.255.255', '198.51.100.7', '203.0.113.7',
  '224.0.0.1', '239.255.255.250', '240.0.0.1', '250.1.2.3', '255.255.255.254', '255.255.255.255',
  '168.63.129.16',
]; // prettier-ignore

export const publicV4 = [
  '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0',
  '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0',
  '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '203.0.112.255', '203.0.114.0',
  '223.255.255.255',
]; // prettier-ignore

export const privateV6 = [
  '::', '::1', '::2', '::7f00:1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a9fe:a9fe',
  '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1',
  '100::1', '100:0:0:1::1', '200::1', '400::1', '1fff::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:10::1', '2001:20::1', '2001:1ff:ffff::1', '2001:db8::1', '2001:db8:ffff::1', '2002::1', '2002:7f00:1::1',
  '2002:a9fe:a9fe::1', '3fff::1', '3fff:fff:ffff::1', '4000::1', '5f00::1', '8000::1', 'c000::1', 'f000::1',
  'fc00::1', 'fd00::1', 'fd00:ec2::254', 'fdff:ffff::1', 'fe00::1', 'fe80::1', 'fe80::a9fe:a9fe', 'febf::1', 'fec0::1',
  'feff::1', 'ff00::1', 'ff02::1', 'ff0e::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
]; // prettier-ignore

/** All forms of IPv6 addresses that embed IPv4, with an internal address. */
export const embeddingV6 = [
  '::127.0.0.1', '::a9fe:a9fe', '::ffff:169.254.169.254', '::ffff:0:10.0.0.1', '64:ff9b::169.254.169.254',
  '64:ff9b:1::a9fe:a9fe', '64:ff9b:1:a9fe:a9:fe00::', '64:ff9b:1:ffff:ffff:ffff:127.0.0.1', '2002:a00:1::1',
  '2002:c0a8:101:1:2:3:4:5', '2001:0:a9fe:a9fe::1', '2001:0:808:808:0:0:5601:5601',
  '2606:4700::5efe:169.254.169.254', '2606:4700::200:5efe:169.254.169.254', '2606:4700:1:2:0:5efe:7f00:1',
  '2606:4700:1:2:200:5efe:a00:1', '2606:4700:1:2:100:5efe:10.0.0.1', '2606:4700:1:2:300:5efe:192.168.1.1',
  '2a00:1450:4001:812:0:5efe:168.63.129.16', '2a00:1450::5efe:0.0.0.0', 'fe80::5efe:8.8.8.8', 'fd00::5efe:8.8.8.8',
]; // prettier-ignore

export const publicV6 = [
  '2000::1', '2001:200::1', '2001:4860:4860::8888', '2001:db7:ffff::1', '2001:db9::1', '2003::1', '2606:4700::1111',
  '2a00:1450:4001::1', '3ffe:ffff::1', '3fff:1000::1', '2606:4700::5efe:8.8.8.8', '2606:4700:1:2:200:5efe:808:808',
  '2606:4700::5eff:169.254.169.254', '2606:4700::400:5efe:10.0.0.1', '2606:4700:0:5efe:169:254:169:254',
]; // prettier-ignore

/** Spellings of 127.0.0.1 and other internal addresses that pass a text filter. */
export const disguisedHosts = [
  '127.1', '127.0.1', '0', '0.0', '0x7f.1', '0x7f000001', '0X7F000001', '2130706433', '017700000001', '0177.0.0.1',
  '0177.0x0.1', '127.0.0.01', '127.0.0.0x1', '0x7f.0x0.0x0.0x1', '00000177.1', '3232235777', '0xa9fea9fe', '2852039166',
  '169.254.43518', '0251.0376.0251.0376', '10.1', '0xa.0.0.1', '012.0.0.1', '１２７.０.０.１', '127。0。0。1', '①②⑦.0.0.1',
  '127.0.0.1.', '0x7f.1.', '%31%32%37.0.0.1', '127%2e0%2e0%2e1', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:7f00:1]',
  '[::ffff:127.0.0.1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]',
  '[::]', '[fe80::1]', '[fd00:ec2::254]',
]; // prettier-ignore

/** Names of this machine or network, and invalid names. */
export const internalNames = [
  'localhost', 'LOCALHOST', 'localhost.', 'ｌｏｃａｌｈｏｓｔ', 'foo.localhost', 'a.b.localhost', 'localhost.localdomain', 'router.local',
  'printer.LOCAL', 'metadata.google.internal', 'METADATA.GOOGLE.INTERNAL', 'ip-10-0-0-1.ec2.internal', 'db.intranet',
  'nas.lan', 'fritz.home', 'hub.home.arpa', 'wiki.corp', 'x.private', 'kubernetes.default.svc.cluster.local', 'metadata',
  'kubernetes', 'redis', 'example', 'a.example', 'b.test', 'c.invalid', 'd.onion', '1.0.0.127.in-addr.arpa', 'e.alt',
  'hooks.example.com.', '.example.com', 'a..example.com', `${'a'.repeat(64)}.example.com`,
  `${'a123456789.'.repeat(24)}example.com`,
]; // prettier-ignore

/** URLs that are rejected for another reason than their host. */
export const rejectedUrls = [
  'http://hooks.example.com/', 'ftp://hooks.example.com/', 'file:///etc/passwd', 'gopher://hooks.example.com/',
  'ws://hooks.example.com/', 'data:text/plain,hello', 'javascript:alert(1)', 'blob:https://hooks.example.com/1',
  'unix:/var/run/docker.sock', 'https://user@hooks.example.com/', 'https://user:secret@hooks.example.com/',
  'https://:secret@hooks.example.com/', 'https://hooks.example.com@127.0.0.1/', 'https://127.0.0.1@hooks.example.com/',
  'https://hooks.example.com/#fragment', 'https://hooks.example.com/#', 'https://hooks.example.com:22/',
  'https://hooks.example.com:25/', 'https://hooks.example.com:80/', 'https://hooks.example.com:0/',
  'https://hooks.example.com:1023/', 'https://hooks.example.com:444/', 'https://8.8.8.8:6/',
]; // prettier-ignore

/** Texts that are not URLs. */
export const malformedUrls = [
  '', 'hooks.example.com', '//hooks.example.com/', '/hook', 'https://', 'https:///', 'https://hooks.example.com:99999/',
  'https://hooks.example.com:port/', 'https://hooks example.com/', ' https://hooks.example.com/',
  'https://hooks.example.com/\n', 'https:\\\\hooks.example.com\\', 'https://hooks.example.com\\@127.0.0.1/',
  'https://[::1', 'https://[::g]/', 'https://[fe80::1%25eth0]/', 'https://256.256.256.256/', 'https://1.2.3.4.5/',
  'https://0x100000000/', 'https://exa<mple.com/', 'https://exam|ple.com/', `https://hooks.example.com/${'a'.repeat(2048)}`,
]; // prettier-ignore

export const acceptedUrls = [
  'https://hooks.example.com', 'https://hooks.example.com/', 'https://hooks.example.com:443/a', 'https://a.b.example.com/x?y=z',
  'https://hooks.example.com:1024/', 'https://hooks.example.com:8443/', 'https://hooks.example.com:65535/',
  'https://8.8.8.8/', 'https://[2606:4700::1111]/', 'https://münchen.example.com/', 'https://xn--mnchen-3ya.example.com/',
  'https://localhost.example.com/', 'https://internal.example.com/', 'https://hooks.example.com/%2e%2e/a',
  'https://hooks.example.com/?url=http://127.0.0.1/', 'HTTPS://HOOKS.EXAMPLE.COM/',
]; // prettier-ignore

/** URLs that must never lead to a connection. */
export function internalUrls(port: number): string[] {
  const hosts = [
    ...privateV4,
    ...[...privateV6, ...embeddingV6].map((address) => `[${address}]`),
    ...disguisedHosts,
    ...internalNames,
  ];
  return hosts.map((host) => `https://${host}:${port}/hook`);
}
