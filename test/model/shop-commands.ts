import fc from "fast-check";
import { expect } from "vitest";
import type { Answer } from "../support/world.ts";
import { formatted } from "./arithmetic.ts";
import { configurationOf, good, place, shopperOf, step, who } from "./cart-commands.ts";
import type { Quote } from "./cart-model.ts";
import { merchantCommands } from "./merchant-commands.ts";
import { dataOf, type Scene, seenShops, send } from "./scene.ts";
import { type Configuration, faultsOf, unitPriceOf, variantOf } from "./shop-model.ts";

const quoteQuantity = fc.constantFrom(1, 3, 9, 100);

const quotes = fc
  .record({ who, good, choice: fc.nat(6), place, quantity: quoteQuantity })
  .map((chosen) =>
    step(`quote ${JSON.stringify(chosen)}`, async (scene) => {
      const configuration = configurationOf(scene, { ...chosen, plan: null, note: null });
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
  { weight: 6, arbitrary: merchantCommands },
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
  expect(data).toMatchObject({ variant_id: variantId, location_id: configuration.locationId });
  return { id: data.quote_id, configuration, unitPrice, quantity, expiresAt };
}

function quoteBody(
  { shop }: Scene,
  { configuration, quantity }: { configuration: Configuration; quantity: number },
) {
  const { productId, variantId, optionIds, selections, locationId } = configuration;
  const isBundle = shop.products.some(({ id, bundle }) => id === productId && bundle.length > 0);
  return {
    product_id: productId,
    quantity,
    add_on_option_ids: optionIds,
    ...(variantId !== null && { variant_id: variantId }),
    ...(locationId !== null && { location_id: locationId }),
    [isBundle ? "bundle_selections" : "composite_selections"]: selections.map((one) => ({
      component_id: one.componentId,
      quantity: one.quantity,
      ...(one.variantId !== null && { variant_id: one.variantId }),
    })),
  };
}
