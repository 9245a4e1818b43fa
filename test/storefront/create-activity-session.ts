import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, vi } from "vitest";
import type { CreatedBusiness, Settings } from "../../shared/businesses/index.ts";
import { merchantCatalogue } from "../../shared/catalogue/index.ts";
import { contextFor, createBusiness, dataOf, shopper } from "../support/world.ts";

export const productView = (productId: string, fields = {}) => ({
  type: "product_view",
  product_id: productId,
  ...fields,
});
export const categoryView = (categoryId: string) => ({
  type: "category_view",
  category_id: categoryId,
});
export const search = { type: "search", query: "tea", result_count: 3 };

export const advanceTime = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** Creates a shop and a shopper with recorded activity before each test. */
export function setUpActivitySession() {
  let shop: CreatedBusiness;
  let caller: ReturnType<typeof shopper>;
  let cookie: string;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    shop = await createBusiness();
    caller = shopper(shop);
  });

  const ask: typeof caller = async (...request) => {
    const answer = await caller(...request);
    cookie = answer.headers.get("set-cookie") ?? cookie;
    return answer;
  };

  /** The session's object; the payload of the cookie's signed token contains its id. */
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

    updateSettings: (settings: Partial<Settings>) =>
      env.CORE.prepare("update businesses set settings = ? where id = ?")
        .bind(JSON.stringify({ ...shop.business.settings, ...settings }), shop.business.id)
        .run(),

    createCategory: (name: string, parentId: string | null = null) =>
      merchantCatalogue.createCategory(contextFor(shop), {
        name,
        slug: null,
        description: "",
        parentId,
        imageUrl: null,
        sortOrder: 0,
        metadata: {},
      }),

    /** The stored events, oldest first. */
    findStoredEvents: () =>
      runInDurableObject(session(), (_, { storage }) =>
        storage.sql
          .exec("select event from activity_events order by id")
          .toArray()
          .map(({ event }) => JSON.parse(String(event))),
      ),
  };
}
