import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { dataOf } from "./orders.ts";
import { type Answer, shopper } from "./world.ts";

type Shop = Parameters<typeof shopper>[0];
type Ask = ReturnType<typeof shopper>;

/** The only code of test mode (completions.md 2). */
export const testCode = "123456";

/** The cookie that an answer sets, as a browser sends it back; null when it sets none. */
export const cookieIn = ({ headers }: Answer): string | null =>
  headers.get("set-cookie")?.split(";")[0] ?? null;

/** The claims of a session's cookie, readable and signed. */
export function claimsOf(cookie: string | null): Readonly<{ sub: string; gen: number }> {
  const payload = cookie?.split(".")[1] ?? "";
  return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
}

/** Everything that a session's object has stored. */
export const storedIn = (sessionId: string): Promise<unknown> =>
  runInDurableObject(env.CART_SESSION.getByName(sessionId), async (_, { storage }) => ({
    values: [...(await storage.list())],
    tables: storage.sql
      .exec<{ name: string }>("select name from sqlite_master where type = 'table'")
      .toArray()
      .filter(({ name }) => !name.startsWith("_cf_"))
      .map(({ name }) => [name, storage.sql.exec(`select * from ${name}`).toArray()]),
  }));

/** Asks for a code and logs in with it; the answer of verify-otp. */
export async function logIn(ask: Ask, contact: string): Promise<Answer> {
  const sent = await ask("POST", "/auth/request-otp", { body: { contact } });
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body));
  return ask("POST", "/auth/verify-otp", { body: { contact, otp_code: testCode } });
}

/** A shopper who is logged in, and the customer whom that made. */
export async function loggedInShopper(shop: Shop, contact = "+233241234567", ask = shopper(shop)) {
  const answer = await logIn(ask, contact);
  const cookie = cookieIn(answer);
  return { ask, cookie, customerId: String(dataOf(answer).customer.id) };
}

export const statusOf = async (ask: Ask) => dataOf(await ask("GET", "/auth/status"));
export const cartOf = async (ask: Ask) => dataOf(await ask("GET", "/cart"));

/** What GET /auth/status says to a stranger. */
export const stranger = { is_authenticated: false, customer: null, session_expires_at: null };

/** A browser with a piece of a product in the cart, and its cookie. */
export async function givenVisitor(shop: Shop, itemId: string) {
  const ask = shopper(shop);
  const added = await ask("POST", "/cart/items", { body: { item_id: itemId } });
  return { ask, cookie: cookieIn(added), cartId: String(dataOf(added).id) };
}
