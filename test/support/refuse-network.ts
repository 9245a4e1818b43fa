const localHosts: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Paystack's answer about an account, for the tests that send a request to every operation. */
const paystackBalance = { url: "https://paystack.test/balance", currency: "NGN" };

/** The resolver of the tests, which is the default. */
const resolver = "https://cloudflare-dns.com/dns-query";
/** A hostname that names its business, whose DNS record the resolver always has. */
const hostOfBusiness = /^_duka\.biz-([0-9a-z]{26})\.example\.com$/;

function resolveTxt(url: URL): Response {
  const id = hostOfBusiness.exec(url.searchParams.get("name") ?? "")?.[1];
  const data = `"duka-verification=biz_${id}"`;
  return Response.json(
    id === undefined ? { Status: 3 } : { Status: 0, Answer: [{ type: 16, TTL: 60, data }] },
  );
}

/**
 * Refuses requests to other machines, as a connection that cannot be made. A late alarm of an object
 * may otherwise call a provider after its test has taken away the stand-in.
 */
export function refuseNetwork(): void {
  const networkFetch = globalThis.fetch;
  if (networkFetch.name === "fetchLocally") return; // files share a process
  globalThis.fetch = async function fetchLocally(input, init) {
    const url = new URL(input instanceof Request ? input.url : String(input));
    if (url.href === paystackBalance.url) {
      const data = [{ currency: paystackBalance.currency, balance: 0 }];
      return Response.json({ status: true, message: "Balances retrieved", data });
    }
    if (url.href.startsWith(resolver)) return resolveTxt(url);
    if (localHosts.includes(url.hostname)) return networkFetch(input, init);
    throw new TypeError(`Tests do not connect to ${url.hostname}.`);
  };
}
