import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { type ApiClient, type ApiResponse, dataOf, shopper } from "./world.ts";

type ShopKeys = Parameters<typeof shopper>[0];

/** The one-time code of every contact in test mode. */
export const testCode = "123456";

/** The cookie that a response sets, in the form of a Cookie header; null without one. */
export const sessionCookieOf = ({ headers }: ApiResponse): string | null =>
  headers.get("set-cookie")?.split(";")[0] ?? null;

/** The claims in a session's cookie; its signature is not checked. */
export function parseCookieClaims(cookie: string | null): Readonly<{ sub: string; gen: number }> {
  const payload = cookie?.split(".")[1] ?? "";
  return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
}

/** All values and tables that a session's object stores. */
export const readSessionStorage = (sessionId: string): Promise<unknown> =>
  runInDurableObject(env.CART_SESSION.getByName(sessionId), async (_, { storage }) => ({
    values: [...(await storage.list())],
    tables: storage.sql
      .exec<{ name: string }>("select name from sqlite_master where type = 'table'")
      .toArray()
      .filter(({ name }) => !name.startsWith("_cf_"))
      .map(({ name }) => [name, storage.sql.exec(`select * from ${name}`).toArray()]),
  }));

/** Requests a one-time code and logs in with it; returns the response of verify-otp. */
export async function logIn(
  ask: ApiClient,
  contact: string,
  fields: object = {},
): Promise<ApiResponse> {
  const sent = await ask("POST", "/auth/request-otp", { body: { contact } });
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body));
  return ask("POST", "/auth/verify-otp", { body: { contact, otp_code: testCode, ...fields } });
}

/** Logs a shopper in, which creates the customer. */
export async function createLoggedInShopper(
  shop: ShopKeys,
  contact = "+233241234567",
  ask: ApiClient = shopper(shop),
) {
  const response = await logIn(ask, contact);
  const cookie = sessionCookieOf(response);
  return { ask, cookie, customerId: String(dataOf(response).customer.id) };
}

export const readAuthStatus = async (ask: ApiClient) => dataOf(await ask("GET", "/auth/status"));
export const readCart = async (ask: ApiClient) => dataOf(await ask("GET", "/cart"));

/** The data of GET /auth/status without a login. */
export const anonymousStatus = {
  is_authenticated: false,
  customer: null,
  session_expires_at: null,
};

/** Creates a session whose cart holds one unit of a product. */
export async function createCart(shop: ShopKeys, itemId: string) {
  const ask = shopper(shop);
  const added = await ask("POST", "/cart/items", { body: { item_id: itemId } });
  return { ask, cookie: sessionCookieOf(added), cartId: String(dataOf(added).id) };
}
