import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { viewCart } from "../../functions/storefront/views/cart.ts";
import {
  addItem,
  addLine,
  type Cart,
  type CartContext,
  type CartLine,
  cartMigrations,
  cartRepo,
  changeItemQuantity,
  emptyCart,
} from "../../shared/cart/index.ts";
import { createVersionCache, type OfferedProduct } from "../../shared/catalogue/index.ts";
import { createDeliveryCache } from "../../shared/delivery/index.ts";
import { createTaxRateCache, createTaxReader } from "../../shared/tax/index.ts";
import {
  createConfiguration as configurationOf,
  createProduct,
} from "../pricing/create-products.ts";
import { contextFor, createBusiness, testAddress } from "../support/world.ts";

const full = 200;

const snapshot = {
  name: "Tea",
  variantId: null,
  variantName: null,
  unitPriceMinor: 1_000,
  parts: [{ name: "Tea", amountMinor: 1_000 }],
  lock: null,
};

/** A full cart as loaded from storage, with nothing cached about its lines. */
const fullCart = (priced: (number: number) => CartLine["snapshot"] = () => snapshot): Cart => ({
  ...emptyCart("cart_1", 0),
  lines: Array.from({ length: full }, (_, number) => ({
    id: `ci_${number}`,
    configuration: configurationOf(`prod_${number}`),
    quantity: 1,
    snapshot: priced(number),
  })),
});

const oneMoreOf = (cart: Cart, number: number): Cart =>
  addLine(
    cart,
    { configuration: configurationOf(`prod_${number}`), quantity: 1, snapshot },
    () => "ci_new",
  ).cart;

describe("a write to a cart of 200 lines", () => {
  it("prices only the written line and the one written before", async () => {
    const priced: string[] = [];
    const products = new Map(
      fullCart().lines.map(({ configuration: { productId } }) => [
        productId,
        productRecordingReads(createProduct({ id: productId, name: "Tea" }), priced),
      ]),
    );
    const shop = await createBusiness();
    const ctx: CartContext = {
      ...contextFor(shop),
      digestCallerAddress: async () => null,
      findProducts: async () => products,
      delivery: createDeliveryCache(createVersionCache())(contextFor(shop)),
      findDeals: async () => ({ automatic: [], coupons: [] }),
      tax: createTaxReader(contextFor(shop), createTaxRateCache(createVersionCache())),
    };
    const item = (productId: string) => ({
      configuration: configurationOf(productId),
      quantity: 1,
      quoteId: null,
      slot: null,
    });
    const { cart } = await addItem(ctx, fullCart(), item("prod_7"));
    expect(new Set(priced).size).toBe(full);

    priced.length = 0;
    const added = await addItem(ctx, cart, item("prod_120"));
    expect(new Set(priced)).toEqual(new Set(["prod_120", "prod_7"]));

    priced.length = 0;
    await changeItemQuantity(ctx, added.cart, { lineId: "ci_31", quantity: 5 });
    expect(new Set(priced)).toEqual(new Set(["prod_120"]));
  });

  it("serialises only that line and copies the others", () => {
    const serialised: number[] = [];
    const cart = fullCart((number) => snapshotRecordingReads(number, serialised));
    const shop = {
      id: "bus_1",
      currency: "GHS",
      settings: { tax: { ratePercent: "0", isInclusive: false } },
    };
    viewCart(cart, { business: shop, address: testAddress });
    expect(serialised).toHaveLength(full);
    oneMoreOf(cart, 120); // the first write after a load measures the size of each line

    serialised.length = 0;
    const { items, item } = viewCart(
      oneMoreOf(cart, 120),
      { business: shop, address: testAddress },
      "ci_120",
    );
    expect(serialised).toEqual([]);
    const text = new TextDecoder().decode(items);
    expect(JSON.parse(text)).toHaveLength(full);
    expect(JSON.parse(text)[120]).toMatchObject({ id: "ci_120", quantity: 2, line_total: "20.00" });
    expect(JSON.parse(new TextDecoder().decode(item ?? undefined))).toEqual(JSON.parse(text)[120]);
  });

  it("stores only that line and the cart's row", async () => {
    const object = env.CART_SESSION.getByName("ses_of_this_test");
    const statements = await runInDurableObject(object, (_, { storage }) => {
      for (const migration of cartMigrations) storage.sql.exec(migration);
      const run: string[] = [];
      const exec: SqlStorage["exec"] = (query, ...values) => {
        run.push(query);
        return storage.sql.exec(query, ...values);
      };
      const recordingSql = { exec } as SqlStorage; // safe: the repo calls nothing else
      const carts = cartRepo({ sql: recordingSql, exist: () => true }, () =>
        emptyCart("cart_1", 0),
      );
      carts.save(fullCart());
      const before = run.length;
      carts.save(oneMoreOf(carts.get(), 120));
      return run.slice(before).map((query) => query.split("(")[0]?.trim());
    });
    expect(statements).toEqual(["insert into cart", "insert into cart_lines"]);
  });
});

/** A product that records each read of its price. */
const productRecordingReads = (one: OfferedProduct, priced: string[]): OfferedProduct => ({
  ...one,
  get defaultPriceMinor() {
    priced.push(one.id);
    return one.defaultPriceMinor;
  },
});

/** A snapshot that records each read of its name, which happens when it is serialised. */
const snapshotRecordingReads = (number: number, serialised: number[]): CartLine["snapshot"] => ({
  ...snapshot,
  get name() {
    serialised.push(number);
    return "Tea";
  },
});
