import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, vi } from "vitest";
import type { CreatedBusiness, Settings } from "../../shared/businesses/index.ts";
import { createCategory } from "../../shared/catalogue/index.ts";
import { dataOf } from "../support/orders.ts";
import { contextFor, givenBusiness, shopper } from "../support/world.ts";

export const view = (productId: string, fields = {}) => ({
  type: "product_view",
  product_id: productId,
  ...fields,
});
export const browse = (categoryId: string) => ({ type: "category_view", category_id: categoryId });
export const search = { type: "search", query: "tea", result_count: 3 };

export const passes = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** For each test of the file: a shop, and a shopper of it whose activity is recorded. */
export function activitySession() {
  let shop: CreatedBusiness;
  let caller: ReturnType<typeof shopper>;
  let cookie: string;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    shop = await givenBusiness();
    caller = shopper(shop);
  });

  const ask: typeof caller = async (...request) => {
    const answer = await caller(...request);
    cookie = answer.headers.get("set-cookie") ?? cookie;
    return answer;
  };

  /** The session's object; its id stands in the cookie's token, readable and signed. */
  function session() {
    const payload = cookie.split(".")[1] ?? "";
    return env.CART_SESSION.getByName(
      JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).sub,
    );
  }

  return {
    shop: () => shop,
    ask,
    session,

    send: (...events: unknown[]) => ask("POST", "/activity/events", { body: { events } }),
    state: async () => dataOf(await ask("GET", "/activity/state")),
    add: (productId: string, quantity = 1, headers = {}) =>
      ask("POST", "/cart/items", { body: { item_id: productId, quantity }, headers }),

    givenSettings: (settings: Partial<Settings>) =>
      env.CORE.prepare("update businesses set settings = ? where id = ?")
        .bind(JSON.stringify({ ...shop.business.settings, ...settings }), shop.business.id)
        .run(),

    givenCategory: (name: string, parentId: string | null = null) =>
      createCategory(contextFor(shop), {
        name,
        slug: null,
        description: "",
        parentId,
        imageUrl: null,
        sortOrder: 0,
        metadata: {},
      }),

    /** The events that the session keeps, oldest first. */
    kept: () =>
      runInDurableObject(session(), (_, { storage }) =>
        storage.sql
          .exec("select event from activity_events order by id")
          .toArray()
          .map(({ event }) => JSON.parse(String(event))),
      ),
  };
}
