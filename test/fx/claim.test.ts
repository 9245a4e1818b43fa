import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { commit } from "../../shared/database/index.ts";
import { type FxQuote, fxQuoteRepo, fxQuoteUsed } from "../../shared/fx/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness, createBusinessOnSameShard } from "../support/world.ts";

let shop: CreatedBusiness;
let quote: FxQuote;

beforeEach(async () => {
  shop = await createBusiness();
  const ctx = contextFor(shop);
  quote = {
    id: ctx.newId("fxq"),
    from: "GHS",
    to: "USD",
    amountMinor: 1_000,
    rate: "0.08",
    convertedMinor: 80,
    createdAt: 1,
    expiresAt: 2,
  };
  await commit(ctx, { writes: [fxQuoteRepo(ctx).insert(quote)] });
});

/** The claim as the order's batch contains it. */
function claim(orderId: string, { by = shop, of = quote } = {}) {
  const ctx = contextFor(by);
  return commit(ctx, {
    writes: [fxQuoteRepo(ctx).claim(of, orderId)],
    refusals: { fx_quotes_used_once: fxQuoteUsed },
  });
}

const row = async (id = quote.id) =>
  (await selectRows(shop, "select * from fx_quotes where id = ?", id))[0];

describe("claiming an FX quote", () => {
  it("assigns the quote to the order and changes nothing else", async () => {
    const before = await row();
    await claim("ord_1");
    expect(await row()).toEqual({ ...before, used_by_order_id: "ord_1" });
  });

  it("can be repeated for the same order only", async () => {
    await claim("ord_2");
    await claim("ord_2");
    await expect(claim("ord_3")).rejects.toMatchObject({ context: { rule: "FX_QUOTE_USED" } });
    expect(await row()).toMatchObject({ used_by_order_id: "ord_2" });
  });

  it("succeeds for one of many concurrent orders", async () => {
    const orders = Array.from({ length: 5 }, (_, index) => `ord_many_${index}`);
    const claims = await Promise.allSettled(orders.map((orderId) => claim(orderId)));
    expect(claims.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("rejects another business's quote", async () => {
    const neighbour = await createBusinessOnSameShard(shop);
    await expect(claim("ord_4", { by: neighbour })).rejects.toThrow();
    expect(await row()).toMatchObject({ business_id: shop.business.id, used_by_order_id: null });
  });

  it("inserts a quote that is not stored or was purged", async () => {
    const locked = { ...quote, id: `${quote.id}_locked` };
    await claim("ord_5", { of: locked });
    expect(await row(locked.id)).toMatchObject({
      business_id: shop.business.id,
      rate: "0.08",
      used_by_order_id: "ord_5",
    });
  });
});
