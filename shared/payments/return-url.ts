import type { ReturnUrls } from "./provider.ts";

/** What the placeholders of a return address are replaced with; null where the token is not known. */
type PaidOrder = Readonly<{ orderId: string; billToken: string | null }>;

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const maxLength = 2_048;
const sample: PaidOrder = { orderId: "ord_0", billToken: "bt_0" };

/** Whether a shop may give this return address. http is accepted on loopback, for development only. */
export function isReturnUrl(template: string, { allowLocal }: Readonly<{ allowLocal: boolean }>) {
  const text = withPlaceholders(template, sample);
  if (template.length > maxLength || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (allowLocal && protocol === "http:" && loopback.test(hostname));
}

/**
 * The addresses that a provider's page leads back to. `order_id` is appended unless the address has
 * it, so that the shop knows which order it shows.
 */
export const returnUrlsOf = ({ success, cancel }: ReturnUrls, order: PaidOrder): ReturnUrls => ({
  success: success && returnUrlOf(success, order),
  cancel: cancel && returnUrlOf(cancel, order),
});

function returnUrlOf(template: string, order: PaidOrder): string {
  const url = new URL(withPlaceholders(template, order));
  if (!url.searchParams.has("order_id")) {
    const query = url.search === "" ? "" : `${url.search.slice(1)}&`;
    url.search = `${query}order_id=${order.orderId}`; // keeps the shop's own query as it is
  }
  return url.href;
}

const withPlaceholders = (template: string, { orderId, billToken }: PaidOrder): string =>
  template.replaceAll("{ORDER_ID}", orderId).replaceAll("{BILL_TOKEN}", billToken ?? "");
