import { describe, expect, it } from "vitest";
import { checkTargetUrl } from "../../shared/webhooks/target-url.ts";

const inProduction = { allowLocal: false };
const inDevelopment = { allowLocal: true };

const loopbacks = [
  "http://127.0.0.1",
  "http://127.0.0.1:8080/hook",
  "https://127.0.0.1:9443/hook",
  "http://127.255.255.254/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0177.0.0.1/",
  "http://127.0.0.1./",
  "http://[::1]:3000/hook",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://localhost",
  "https://localhost:22/",
  "http://LOCALHOST./hook",
  "http://①②⑦.0.0.1/",
];

const publics = [
  "https://example.com",
  "https://EXAMPLE.com/hooks?shop=1",
  "https://hooks.example.co.uk:443/",
  "https://example.com:8443/hook",
  "https://example.com./",
  "https://xn--bcher-kva.example/hook",
  "https://bücher.example/hook",
  "https://under_score.example.com/",
  "https://8.8.8.8/hook",
  "https://172.15.255.255/",
  "https://172.32.0.1/",
  "https://100.128.0.1/",
  "https://192.169.0.1/",
  "https://[2606:4700:4700::1111]/hook",
  "https://[2a00:1450:4001:81b::200e]/",
  "https://notlocalhost.com/",
  "https://internal.example.com/",
];

const refusedEverywhere = [
  // No address at all, or not one that says plainly where it goes.
  "",
  "example.com/hook",
  "//example.com/hook",
  "https:example.com",
  "https:///example.com",
  "https:\\\\example.com\\hook",
  " https://example.com",
  "https://exam\nple.com",
  "https://example.com/a b",
  "https://",
  "https://256.256.256.256/",
  "https://1.2.3.4.5/",
  `https://example.com/${"a".repeat(2_048)}`,
  // Other protocols.
  "http://example.com/hook",
  "http://8.8.8.8/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/plain,hi",
  "ws://example.com/",
  // Credentials.
  "https://user@example.com/",
  "https://user:secret@example.com/",
  "https://:secret@example.com/",
  "https://@example.com/",
  "https://example.com@127.0.0.1/",
  // Names without a public meaning.
  "https://intranet/",
  "https://intranet./",
  "https://metadata/",
  "https://metadata.google.internal/",
  "https://metadata.google.internal./",
  "https://api.localhost/",
  "https://printer.local/",
  "https://printer.LOCAL./",
  "https://localhost.localdomain/",
  "https://router.lan/",
  "https://nas.home.arpa/",
  "https://example..com/",
  "https://example.com../",
  "https://-example.com/",
  // Addresses that are not on the public internet, in any spelling.
  "https://0.0.0.0/",
  "https://0/",
  "https://10.0.0.1/",
  "https://10.1/",
  "https://167772161/",
  "https://0xa000001/",
  "https://012.0.0.1/",
  "https://100.64.0.1/",
  "https://100.127.255.255/",
  "https://169.254.169.254/latest/meta-data/",
  "https://2852039166/",
  "https://0xA9FEA9FE/",
  "https://0251.0376.0251.0376/",
  "https://169.254.43518/",
  "https://169%2e254.169.254/",
  "https://１６９.254.169.254/",
  "https://172.16.0.1/",
  "https://172.31.255.255/",
  "https://192.0.0.8/",
  "https://192.0.2.1/",
  "https://192.88.99.1/",
  "https://192.168.1.1:8443/",
  "https://198.18.0.1/",
  "https://198.19.255.255/",
  "https://198.51.100.7/",
  "https://203.0.113.9/",
  "https://224.0.0.1/",
  "https://240.0.0.1/",
  "https://255.255.255.255/",
  "https://[::]/",
  "https://[::127.0.0.1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://[::ffff:8.8.8.8]/",
  "https://[::ffff:0:10.0.0.1]/",
  "https://[64:ff9b::10.0.0.1]/",
  "https://[64:ff9b:1::a00:1]/",
  "https://[100::1]/",
  "https://[2001::1]/",
  "https://[2001:20::1]/",
  "https://[2001:db8::1]/",
  "https://[2002:a00:1::]/",
  "https://[2002:7f00:1::1]/",
  "https://[3fff::1]/",
  "https://[5f00::1]/",
  "https://[fc00::1]/",
  "https://[fd12:3456:789a::1]/",
  "https://[fe80::1]/",
  "https://[febf::1]/",
  "https://[fec0::1]/",
  "https://[ff02::1]/",
  // Ports of other services.
  "https://example.com:22/",
  "https://example.com:25/",
  "https://example.com:80/",
  "https://example.com:0/",
  "https://8.8.8.8:53/",
];

describe("the address of a webhook", () => {
  it.each(publics)("may be %s", (url) => {
    expect(checkTargetUrl(url, inProduction)).toBeNull();
    expect(checkTargetUrl(url, inDevelopment)).toBeNull();
  });

  it.each(refusedEverywhere)("may never be %j", (url) => {
    expect(checkTargetUrl(url, inProduction)).toMatch(/^must .+\.$/);
    expect(checkTargetUrl(url, inDevelopment)).toMatch(/^must .+\.$/);
  });

  it.each(loopbacks)("may be %s in development alone", (url) => {
    expect(checkTargetUrl(url, inDevelopment)).toBeNull();
    expect(checkTargetUrl(url, inProduction)).toMatch(/^must .+\.$/);
    expect(checkTargetUrl(url.replace("http:", "https:"), inProduction)).toMatch(/^must .+\.$/);
  });
});
