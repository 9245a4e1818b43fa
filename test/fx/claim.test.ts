import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { commit } from "../../shared/database/index.ts";
import { type FxQuote, fxQuoteRepo, quoteUsed } from "../../shared/fx/index.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

let shop: CreatedBusiness;
let quote: FxQuote;

beforeEach(async () => {
  shop = await givenBusiness();
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

/** The claim of an order, as it goes into that order's batch. */
function claim(orderId: string, { by = shop, of = quote } = {}) {
  const ctx = contextFor(by);
  return commit(ctx, {
    writes: [fxQuoteRepo(ctx).claim(of, orderId)],
    refusals: { fx_quotes_used_once: quoteUsed },
  });
}

const row = async (id = quote.id) =>
  (await rowsOf(shop, "select * from fx_quotes where id = ?", id))[0];

describe("claiming an FX quote", () => {
  it("marks it as the order's, and changes nothing else of it", async () => {
    const before = await row();
    await claim("ord_1");
    expect(await row()).toEqual({ ...before, used_by_order_id: "ord_1" });
  });

  it("may be repeated for the same order, and by no other", async () => {
    await claim("ord_2");
    await claim("ord_2");
    await expect(claim("ord_3")).rejects.toMatchObject({ context: { rule: "FX_QUOTE_USED" } });
    expect(await row()).toMatchObject({ used_by_order_id: "ord_2" });
  });

  it("lets one of many orders through at once", async () => {
    const orders = Array.from({ length: 5 }, (_, index) => `ord_many_${index}`);
    const claims = await Promise.allSettled(orders.map((orderId) => claim(orderId)));
    expect(claims.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("takes no other business's", async () => {
    const neighbour = await givenNeighbour(shop);
    await expect(claim("ord_4", { by: neighbour })).rejects.toThrow();
    expect(await row()).toMatchObject({ business_id: shop.business.id, used_by_order_id: null });
  });

  it("brings the quote in where it stands nowhere: a locked one, or one that was purged", async () => {
    const locked = { ...quote, id: `${quote.id}_locked` };
    await claim("ord_5", { of: locked });
    expect(await row(locked.id)).toMatchObject({
      business_id: shop.business.id,
      rate: "0.08",
      used_by_order_id: "ord_5",
    });
  });
});
