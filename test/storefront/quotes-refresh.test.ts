import { describe, expect, it, vi } from "vitest";
import { givenProduct } from "../support/catalogue.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { shopper } from "../support/world.ts";
import { changeProduct, dataOf } from "./catalogue-stock.ts";
import { later, minutes, quoted, quotedShop } from "./quoted-shop.ts";

const { shop, ask, givenTea, quote, read, refresh, count } = quotedShop();

describe("POST /catalogue/quotes/{quote_id}/refresh", () => {
  it("prices the same anew under the same id, with a new expiry", async () => {
    const { tea, honey } = await givenTea();
    const made = await quoted(
      quote({ product_id: tea.id, quantity: 2, add_on_option_ids: [honey] }),
    );
    await changeProduct(shop(), tea.id, { defaultPriceMinor: 2_000 });
    later(10);
    const fresh = await quoted(refresh(made.quote_id));
    expect(fresh).toEqual({
      ...made,
      unit_price: "23.50",
      subtotal: "47.00",
      parts: [{ name: "Tea", amount: "20.00" }, ...made.parts.slice(1)],
      expires_at: "2030-05-01T12:25:00.000Z",
    });
    expect(await quoted(read(made.quote_id))).toEqual(fresh);
    expect(await count()).toBe(1);
  });

  it("takes any field of the create body over the old one", async () => {
    const { tea, small, large, honey } = await givenTea();
    const there = shop().business.locations[0]?.id;
    const { quote_id } = await quoted(quote({ product_id: tea.id, location_id: there }));
    const changes = { quantity: 4, variant_id: small, add_on_option_ids: [honey] };
    expect(dataOf(await refresh(quote_id, changes))).toMatchObject({
      quote_id,
      variant_id: small,
      location_id: there,
      quantity: 4,
      unit_price: "9.50",
      subtotal: "38.00",
    });
    expect(dataOf(await refresh(quote_id, { variant_id: null, location_id: null }))).toMatchObject({
      variant_id: large,
      location_id: null,
      quantity: 4,
      add_on_option_ids: [honey],
      unit_price: "13.50",
    });
  });

  it("starts anew with another product, whose options are its own", async () => {
    const { tea, honey } = await givenTea();
    const cocoa = await givenProduct(shop(), { name: "Cocoa", defaultPriceMinor: 800 });
    const { quote_id } = await quoted(
      quote({ product_id: tea.id, quantity: 2, add_on_option_ids: [honey] }),
    );
    expect(dataOf(await refresh(quote_id, { product_id: cocoa.id }))).toMatchObject({
      quote_id,
      product_id: cocoa.id,
      variant_id: null,
      add_on_option_ids: [],
      quantity: 2,
      subtotal: "16.00",
    });
  });

  it("takes an expired quote for 24 hours, and none after", async () => {
    const { tea } = await givenTea();
    const [first, second] = [
      await quoted(quote({ product_id: tea.id })),
      await quoted(quote({ product_id: tea.id })),
    ];
    vi.setSystemTime(minutes(15 + 24 * 60) - 1);
    expect(await refresh(first.quote_id)).toMatchObject({ status: 200 });
    expect(await read(first.quote_id)).toMatchObject({ status: 200 });
    later(15 + 24 * 60);
    expect(await refresh(second.quote_id)).toMatchObject({ status: 404 });
  });

  it("leaves the quote as it was when it refuses", async () => {
    const { tea } = await givenTea();
    const made = await quoted(quote({ product_id: tea.id }));
    for (const [body, status] of [
      [{ quantity: 0 }, 400],
      [{ variant_id: "var_unknown" }, 404],
      [{ product_id: "prod_unknown" }, 404],
      [{ location_id: "loc_unknown" }, 404],
    ] as const) {
      expect(await refresh(made.quote_id, body)).toMatchObject({ status });
    }
    const stranger = shopper(await givenNeighbour(shop()));
    expect(
      await stranger("POST", `/catalogue/quotes/${made.quote_id}/refresh`, { body: {} }),
    ).toMatchObject({ status: 404 });
    expect(await refresh("pq_unknown")).toMatchObject({ status: 404 });
    expect(await quoted(read(made.quote_id))).toEqual(made);
  });

  it("answers without any body as with an empty one", async () => {
    const { tea } = await givenTea();
    const made = await quoted(quote({ product_id: tea.id }));
    expect(await quoted(ask("POST", `/catalogue/quotes/${made.quote_id}/refresh`))).toEqual(made);
  });
});
