import { describe, expect, it } from "vitest";
import { type ActivityEvent, intentOf } from "../../shared/activity/index.ts";
import { minute } from "../../shared/kernel/index.ts";

const now = 1_800_000_000_000;

const view = (productId: string, categoryId: string | null = null): ActivityEvent => ({
  type: "product_view",
  productId,
  categoryId,
});
const add: ActivityEvent = { type: "cart_add", productId: "prod_1", quantity: 1 };
const remove: ActivityEvent = { type: "cart_remove", productId: "prod_1", quantity: 1 };
const search: ActivityEvent = { type: "search" };
const browse: ActivityEvent = { type: "category_view", categoryId: "cat_1" };

const ago = (ms: number, ...events: ActivityEvent[]) =>
  events.map((event) => ({ ...event, at: now - ms }));

describe("intentOf", () => {
  it.each([
    { what: "nothing", events: [], intent: "baseline" },
    { what: "one view each of two products", events: [view("a"), view("b")], intent: "baseline" },
    {
      what: "searches and categories",
      events: [search, search, browse, browse, browse],
      intent: "baseline",
    },
    { what: "a removal", events: [remove], intent: "baseline" },
    {
      what: "two views of a product",
      events: [view("a"), view("b"), view("a")],
      intent: "considering",
    },
    {
      what: "two products of a category",
      events: [view("a", "x"), view("b", "x"), view("c", "y")],
      intent: "baseline",
    },
    {
      what: "three products of a category",
      events: [view("a", "x"), view("b", "x"), view("c", "x")],
      intent: "considering",
    },
    {
      what: "three products of no category",
      events: [view("a"), view("b"), view("c")],
      intent: "baseline",
    },
    { what: "an add to the cart", events: [add], intent: "considering" },
  ])("returns $intent after $what", ({ events, intent }) => {
    expect(intentOf(ago(0, ...events), { isCartEmpty: true, now })).toBe(intent);
  });

  it("ignores events older than 30 minutes", () => {
    const at = (ms: number) => intentOf(ago(ms, add), { isCartEmpty: true, now });
    expect(at(30 * minute)).toBe("considering");
    expect(at(30 * minute + 1)).toBe("baseline");
    const apart = [...ago(31 * minute, view("a")), ...ago(1, view("a"))];
    expect(intentOf(apart, { isCartEmpty: true, now })).toBe("baseline");
  });

  it("returns ready_to_buy for a considering shopper with items in the cart", () => {
    expect(intentOf(ago(0, add), { isCartEmpty: false, now })).toBe("ready_to_buy");
    expect(intentOf(ago(0, search), { isCartEmpty: false, now })).toBe("baseline");
  });
});
