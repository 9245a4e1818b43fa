const localHosts: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Paystack's answer about an account, for the tests that send a request to every operation. */
const paystackBalance = { url: "https://paystack.test/balance", currency: "NGN" };

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
    if (localHosts.includes(url.hostname)) return networkFetch(input, init);
    throw new TypeError(`Tests do not connect to ${url.hostname}.`);
  };
}
