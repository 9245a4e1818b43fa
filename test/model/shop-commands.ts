import fc from "fast-check";
import { expect } from "vitest";
import { type Answer, merchant } from "../support/world.ts";
import { formatted } from "./arithmetic.ts";
import { configurationOf, good, shopperOf, step, who } from "./cart-commands.ts";
import { dealOf, type Quote } from "./cart-model.ts";
import { at, passes, stalenessMs, valueText } from "./cart-world.ts";
import { change, dataOf, readAsSeen, type Scene, seenShops, send } from "./scene.ts";
import {
  type Configuration,
  type Deal,
  faultsOf,
  type Product,
  unitPriceOf,
  variantOf,
} from "./shop-model.ts";

/** Mostly the change has come through before anything else happens. */
const isSeen = fc.constantFrom(true, true, false);

/** The product of one of a shopper's lines, so that a change matters, or any. */
const target = fc.record({ who, line: fc.nat(3), good });

const prices = fc
  .record({ target, price: fc.constantFrom(0n, 1n, 333n, 1_250n, 99_995n), isSeen })
  .map(({ target, price, isSeen }) =>
    step(`the merchant asks ${price} for ${JSON.stringify({ ...target, isSeen })}`, (scene) =>
      changeProduct(scene, target, { price, isSeen }),
    ),
  );

const sales = fc
  .record({ target, isActive: fc.boolean(), isSeen })
  .map(({ target, ...changes }) =>
    step(`on sale: ${JSON.stringify({ ...target, ...changes })}`, (scene) =>
      changeProduct(scene, target, changes),
    ),
  );

const dealChanges = fc
  .record({
    who,
    deal: fc.nat(6),
    change: fc.oneof(
      fc.constantFrom(1n, 1_250n, 5_000n, 10_000n).map((value) => ({ value })),
      fc.boolean().map((isActive) => ({ isActive })),
    ),
    isSeen,
  })
  .map(({ change, ...chosen }) => {
    const told = { ...chosen, ...("value" in change ? { value: Number(change.value) } : change) };
    return step(`the deal's terms ${JSON.stringify(told)}`, (scene) =>
      changeDeal(scene, chosen, change),
    );
  });

/** Pieces come and go; what is reserved cannot be taken away. */
const stockChanges = fc
  .record({ item: fc.nat(2), delta: fc.constantFrom(-9, -4, -1, 2, 7) })
  .map((chosen) =>
    step(`stock ${JSON.stringify(chosen)}`, async (scene) => {
      const { business } = scene.world;
      const [item, { onHand, reserved }] = at(Object.entries(scene.shop.stock), chosen.item);
      const place = `/inventory/${item}/locations/${business.business.locations[0]?.id}`;
      const body = { delta: chosen.delta, reason: "counted" };
      passes(100);
      const answer = await merchant(business)("POST", `${place}/adjustments`, { body });
      const left = onHand + chosen.delta;
      expect(answer.status).toBe(left < reserved ? 422 : 201);
      if (left >= reserved) {
        const stock = { ...scene.shop.stock, [item]: { onHand: left, reserved } };
        scene.shop = { ...scene.shop, stock };
      }
      await afterwards(scene, { isSeen: false });
    }),
  );

const quoteQuantity = fc.constantFrom(1, 3, 9, 100);

const quotes = fc.record({ who, good, choice: fc.nat(6), quantity: quoteQuantity }).map((chosen) =>
  step(`quote ${JSON.stringify(chosen)}`, async (scene) => {
    const configuration = configurationOf(scene, { ...chosen, note: null });
    const answer = await send(shopperOf(scene, chosen.who), {
      method: "POST",
      path: "/catalogue/quotes",
      body: quoteBody(scene, { configuration, quantity: chosen.quantity }),
    });
    const quote = quoted(scene, answer, { configuration, quantity: chosen.quantity });
    if (quote) scene.quotes = [...scene.quotes, quote];
  }),
);

const refreshes = fc
  .record({ who, quote: fc.nat(3), quantity: fc.option(quoteQuantity) })
  .map((chosen) =>
    step(`refresh ${JSON.stringify(chosen)}`, async (scene) => {
      const before = scene.quotes[chosen.quote % Math.max(scene.quotes.length, 1)];
      if (!before) return;
      const quantity = chosen.quantity ?? before.quantity;
      const answer = await send(shopperOf(scene, chosen.who), {
        method: "POST",
        path: `/catalogue/quotes/${before.id}/refresh`,
        body: chosen.quantity === null ? {} : { quantity },
      });
      // How long an expired quote can be refreshed is not said.
      if (answer.status === 404 && Date.now() >= before.expiresAt) return;
      const quote = quoted(scene, answer, { configuration: before.configuration, quantity });
      if (!quote) return;
      expect(quote.id).toBe(before.id);
      scene.quotes = scene.quotes.map((one) => (one === before ? quote : one));
    }),
  );

export const shopCommands = fc.oneof(
  { weight: 2, arbitrary: prices },
  { weight: 1, arbitrary: sales },
  { weight: 2, arbitrary: dealChanges },
  { weight: 1, arbitrary: stockChanges },
  { weight: 2, arbitrary: quotes },
  { weight: 1, arbitrary: refreshes },
);

/** Holds a quote against the model: its price is of now, for fifteen minutes. */
function quoted(
  scene: Scene,
  answer: Answer,
  { configuration, quantity }: Pick<Quote, "configuration" | "quantity">,
): Quote | null {
  const shops = seenShops(scene);
  const faults = shops.flatMap((shop) => faultsOf(shop, configuration));
  const isBuyable = shops.some((shop) => faultsOf(shop, configuration).length === 0);
  if (answer.status !== 200) {
    const { rule = "NOT_FOUND" } = Object(answer.body).error?.context ?? {};
    expect(faults).toContain(rule);
    return null;
  }
  expect(isBuyable).toBe(true);
  const data = dataOf(answer);
  const allowed = shops.map((shop) => unitPriceOf(shop, configuration));
  const unitPrice = allowed.find(
    (price) => formatted(price, scene.shop.decimals) === data.unit_price,
  );
  if (unitPrice === undefined) return expect.fail(`${data.unit_price} is none of ${allowed}`);
  const expiresAt = Date.now() + 15 * 60_000;
  const subtotal = formatted(unitPrice * BigInt(quantity), scene.shop.decimals);
  expect(data).toMatchObject({ quantity, subtotal, expires_at: new Date(expiresAt).toISOString() });
  const product = scene.shop.products.find(({ id }) => id === configuration.productId);
  const variantId = variantOf(product, configuration.variantId)?.id ?? null;
  expect(data.variant_id).toBe(variantId);
  return { id: data.quote_id, configuration, unitPrice, quantity, expiresAt };
}

function quoteBody(
  { shop }: Scene,
  { configuration, quantity }: { configuration: Configuration; quantity: number },
) {
  const { productId, variantId, optionIds, selections } = configuration;
  const isBundle = shop.products.some(({ id, bundle }) => id === productId && bundle.length > 0);
  return {
    product_id: productId,
    quantity,
    add_on_option_ids: optionIds,
    ...(variantId !== null && { variant_id: variantId }),
    [isBundle ? "bundle_selections" : "composite_selections"]: selections.map((one) => ({
      component_id: one.componentId,
      quantity: one.quantity,
      ...(one.variantId !== null && { variant_id: one.variantId }),
    })),
  };
}

async function changeProduct(
  scene: Scene,
  target: { who: number; line: number; good: number },
  { isSeen, ...changes }: Partial<Pick<Product, "price" | "isActive">> & { isSeen: boolean },
): Promise<void> {
  const { products, decimals } = scene.shop;
  const inCart = shopperOf(scene, target.who).cart.lines[target.line]?.configuration.productId;
  const before = products.find(({ id }) => id === inCart) ?? at(products, target.good);
  const product = { ...before, ...changes };
  const body = {
    is_active: product.isActive,
    ...(product.composite === null && { default_price: formatted(product.price, decimals) }),
  };
  await merchantPatches(scene, `/products/${product.id}`, body);
  const price = product.composite === null ? product.price : before.price;
  const after = { ...product, price };
  change(scene, { ...scene.shop, products: products.map((one) => (one === before ? after : one)) });
  await afterwards(scene, { isSeen });
}

/** Changes the deal of a shopper's coupon, so that it matters, or any. */
async function changeDeal(
  scene: Scene,
  chosen: { who: number; deal: number; isSeen: boolean },
  changes: Partial<Pick<Deal, "value" | "isActive">>,
): Promise<void> {
  const { decimals, deals } = scene.shop;
  const inCart = dealOf(scene.shop, shopperOf(scene, chosen.who).cart.coupon);
  const before = inCart ?? at(deals, chosen.deal);
  const deal = { ...before, ...changes };
  const body = { value: valueText(deal, decimals), is_active: deal.isActive };
  await merchantPatches(scene, `/deals/${deal.id}`, body);
  change(scene, { ...scene.shop, deals: deals.map((one) => (one === before ? deal : one)) });
  await afterwards(scene, chosen);
}

async function merchantPatches({ world }: Scene, path: string, body: object): Promise<void> {
  passes(100);
  const answer = await merchant(world.business)("PATCH", path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

/** No cart changes by what a merchant does, until it is written. */
async function afterwards(scene: Scene, { isSeen }: { isSeen: boolean }): Promise<void> {
  if (isSeen) passes(stalenessMs + 1_000);
  for (const shopper of scene.shoppers) await readAsSeen(shopper);
}
