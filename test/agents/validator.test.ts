import { describe, expect, it } from "vitest";
import { releases } from "../../shared/agents/index.ts";
import { assertValid } from "./validator.ts";

const totals = [
  { type: "subtotal", amount: 500 },
  { type: "total", amount: 500 },
];

const checkoutOf = (release: string) => ({
  ucp: { version: release, capabilities: {}, payment_handlers: {} },
  id: "chk_1",
  status: "incomplete",
  currency: "KES",
  line_items: [
    { id: "li_1", item: { id: "var_1", title: "Tea", price: 500 }, quantity: 1, totals },
  ],
  totals,
  links: [],
});

describe.each(releases)("the schemas of %s", (release) => {
  it("accept a checkout", async () => {
    await assertValid(release, "checkout", checkoutOf(release));
  });

  it("name a missing field, and a field of an extension", async () => {
    const { currency: _, ...rest } = checkoutOf(release);
    await expect(assertValid(release, "checkout", rest)).rejects.toThrow(/currency/);
    const discounted = { ...checkoutOf(release), discounts: { applied: [{}] } };
    await expect(assertValid(release, "checkout", discounted)).rejects.toThrow(/discounts/);
    const fulfilled = { ...checkoutOf(release), fulfillment: { methods: [{ id: 1 }] } };
    await expect(assertValid(release, "checkout", fulfilled)).rejects.toThrow(/fulfillment/);
  });

  it.each([
    "cart",
    "order",
    "search_response",
    "lookup_response",
    "get_product_response",
    "error_response",
    "business_profile",
    "platform_profile",
  ] as const)("compose %s, which is no empty object", async (name) => {
    await expect(assertValid(release, name, {})).rejects.toThrow(`Not a ${name}`);
  });
});
