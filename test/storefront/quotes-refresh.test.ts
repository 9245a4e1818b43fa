import { describe, expect, it, vi } from "vitest";
import { createProduct } from "../support/create-product.ts";
import { createBusinessOnSameShard, shopper } from "../support/world.ts";
import { requireData, updateProductRow } from "./create-catalogue-rows.ts";
import { advanceTo, minutes, readQuoteData, setUpQuoteShop } from "./create-quote-shop.ts";

const { shop, ask, createTea, quote, read, refresh, count } = setUpQuoteShop();

describe("POST /catalogue/quotes/{quote_id}/refresh", () => {
  it("prices the quote again under the same id, with a new expiry", async () => {
    const { tea, honey } = await createTea();
    const made = await readQuoteData(
      quote({ product_id: tea.id, quantity: 2, add_on_option_ids: [honey] }),
    );
    await updateProductRow(shop(), tea.id, { defaultPriceMinor: 2_000 });
    advanceTo(10);
    const fresh = await readQuoteData(refresh(made.quote_id));
    expect(fresh).toEqual({
      ...made,
      unit_price: "23.50",
      subtotal: "47.00",
      parts: [{ name: "Tea", amount: "20.00" }, ...made.parts.slice(1)],
      expires_at: "2030-05-01T12:25:00.000Z",
    });
    expect(await readQuoteData(read(made.quote_id))).toEqual(fresh);
    expect(await count()).toBe(1);
  });

  it("replaces any field of the quote", async () => {
    const { tea, small, large, honey } = await createTea();
    const there = shop().business.locations[0]?.id;
    const { quote_id } = await readQuoteData(quote({ product_id: tea.id, location_id: there }));
    const changes = { quantity: 4, variant_id: small, add_on_option_ids: [honey] };
    expect(requireData(await refresh(quote_id, changes))).toMatchObject({
      quote_id,
      variant_id: small,
      location_id: there,
      quantity: 4,
      unit_price: "9.50",
      subtotal: "38.00",
    });
    expect(
      requireData(await refresh(quote_id, { variant_id: null, location_id: null })),
    ).toMatchObject({
      variant_id: large,
      location_id: null,
      quantity: 4,
      add_on_option_ids: [honey],
      unit_price: "13.50",
    });
  });

  it("drops the old options with another product", async () => {
    const { tea, honey } = await createTea();
    const cocoa = await createProduct(shop(), { name: "Cocoa", defaultPriceMinor: 800 });
    const { quote_id } = await readQuoteData(
      quote({ product_id: tea.id, quantity: 2, add_on_option_ids: [honey] }),
    );
    expect(requireData(await refresh(quote_id, { product_id: cocoa.id }))).toMatchObject({
      quote_id,
      product_id: cocoa.id,
      variant_id: null,
      add_on_option_ids: [],
      quantity: 2,
      subtotal: "16.00",
    });
  });

  it("accepts an expired quote for 24 hours", async () => {
    const { tea } = await createTea();
    const [first, second] = [
      await readQuoteData(quote({ product_id: tea.id })),
      await readQuoteData(quote({ product_id: tea.id })),
    ];
    vi.setSystemTime(minutes(15 + 24 * 60) - 1);
    expect(await refresh(first.quote_id)).toMatchObject({ status: 200 });
    expect(await read(first.quote_id)).toMatchObject({ status: 200 });
    advanceTo(15 + 24 * 60);
    expect(await refresh(second.quote_id)).toMatchObject({ status: 404 });
  });

  it("does not change the quote when it is rejected", async () => {
    const { tea } = await createTea();
    const made = await readQuoteData(quote({ product_id: tea.id }));
    for (const [body, status] of [
      [{ quantity: 0 }, 400],
      [{ variant_id: "var_unknown" }, 404],
      [{ product_id: "prod_unknown" }, 404],
      [{ location_id: "loc_unknown" }, 404],
    ] as const) {
      expect(await refresh(made.quote_id, body)).toMatchObject({ status });
    }
    const otherShopper = shopper(await createBusinessOnSameShard(shop()));
    expect(
      await otherShopper("POST", `/catalogue/quotes/${made.quote_id}/refresh`, { body: {} }),
    ).toMatchObject({ status: 404 });
    expect(await refresh("pq_unknown")).toMatchObject({ status: 404 });
    expect(await readQuoteData(read(made.quote_id))).toEqual(made);
  });

  it("accepts a missing body like an empty one", async () => {
    const { tea } = await createTea();
    const made = await readQuoteData(quote({ product_id: tea.id }));
    expect(await readQuoteData(ask("POST", `/catalogue/quotes/${made.quote_id}/refresh`))).toEqual(
      made,
    );
  });
});
