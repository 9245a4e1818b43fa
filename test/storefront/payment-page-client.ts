import { exports } from "cloudflare:workers";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { dataOf, merchant } from "../support/world.ts";

export type PageResponse = Readonly<{ status: number; html: string; headers: Headers }>;

/** Requests a page as a browser does that follows no redirects and keeps no cookies. */
async function request(path: string, init: RequestInit = {}): Promise<PageResponse> {
  const response = await exports.default.fetch(`https://duka.test${path}`, {
    ...init,
    redirect: "manual",
  });
  return { status: response.status, html: await response.text(), headers: response.headers };
}

export const openPage = (path: string): Promise<PageResponse> => request(path);

export const submitForm = (
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<PageResponse> =>
  request(path, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });

/** Creates a payment link and returns the path of its page. */
export async function createPaymentPath(shop: CreatedBusiness, orderId: string): Promise<string> {
  const link = await merchant(shop)("POST", `/orders/${orderId}/payment-link`);
  return new URL(dataOf(link).url).pathname;
}

/** The key of the form on a page, which identifies its submission. */
export const formKeyOf = ({ html }: PageResponse): string =>
  /name="key" value="([^"]+)"/.exec(html)?.[1] ?? "";

/** The fields of a mobile-money payment; the last digit decides what the sandbox does. */
export const phoneFields = (lastDigit: number, key: string) => ({
  key,
  payment_method: "mobile_money",
  phone_number: `024123456${lastDigit}`,
  provider: "mtn",
});

/** The text of a page as a reader sees it. */
export const textOf = ({ html }: PageResponse): string =>
  html
    .replace(/<head>[\s\S]*?<\/head>/, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
