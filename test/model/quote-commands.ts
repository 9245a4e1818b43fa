import fc from "fast-check";
import { expect } from "vitest";
import type { Answer } from "../support/world.ts";
import { formatted } from "./arithmetic.ts";
import { manner } from "./cart-commands.ts";
import type { Quote } from "./cart-model.ts";
import {
  adding,
  choice,
  configurationOf,
  firstPlanOf,
  good,
  place,
  placeAt,
  quantity,
  startOf,
  time,
} from "./requests.ts";
import { dataOf, type Scene, type Shopper, seenShops, send } from "./scene.ts";
import { type Configuration, faultsOf, unitPriceOf, variantOf } from "./shop-model.ts";
import { shopperOf, step, who } from "./step.ts";
import { write } from "./writes.ts";

const quoteQuantity = fc.constantFrom(1, 3, 9, 100);

export const quotable = fc.record({
  good: fc.oneof({ weight: 2, arbitrary: good }, fc.constantFrom(0, 5)),
  choice: fc.nat(6),
  place,
  quantity: quoteQuantity,
});
type Quotable = Readonly<{ good: number; choice: number; place: number | null; quantity: number }>;

const quotes = fc.record({ who, wanted: quotable }).map((chosen) =>
  step(`quote ${JSON.stringify(chosen)}`, async (scene) => {
    await askForQuote(scene, shopperOf(scene, chosen.who), chosen.wanted);
  }),
);

/** The quote that was made; null for none. */
export async function askForQuote(
  scene: Scene,
  shopper: Shopper,
  { quantity, ...chosen }: Quotable,
): Promise<Quote | null> {
  const time = { hour: 9, minutes: null };
  const wanted = configurationOf(scene, { ...chosen, time, plan: null, note: null });
  const configuration = { ...wanted, start: null };
  const answer = await send(shopper, {
    method: "POST",
    path: "/catalogue/quotes",
    body: quoteBody(scene, { configuration, quantity }),
  });
  const quote = quoted(scene, answer, { configuration, quantity });
  if (quote) scene.quotes = [...scene.quotes, quote];
  return quote;
}

const refreshes = fc
  .record({ who, quote: fc.nat(3), quantity: fc.option(quoteQuantity) })
  .map((chosen) =>
    step(`refresh ${JSON.stringify(chosen)}`, async (scene) => {
      const before = scene.quotes[chosen.quote % Math.max(scene.quotes.length, 1)];
      if (before) await refresh(scene, shopperOf(scene, chosen.who), before, chosen.quantity);
    }),
  );

/** The quote is priced anew; for as many pieces, unless another number is said. */
export async function refresh(
  scene: Scene,
  shopper: Shopper,
  before: Quote,
  pieces: number | null,
): Promise<void> {
  const answer = await send(shopper, {
    method: "POST",
    path: `/catalogue/quotes/${before.id}/refresh`,
    body: pieces === null ? {} : { quantity: pieces },
  });
  // How long an expired quote can be refreshed is not said.
  if (answer.status === 404 && Date.now() >= before.expiresAt) return;
  const { configuration, quantity } = before;
  const quote = quoted(scene, answer, { configuration, quantity: pieces ?? quantity });
  if (!quote) return;
  expect(quote.id).toBe(before.id);
  scene.quotes = scene.quotes.map((one) => (one === before ? quote : one));
}

/** What a quote prices or, now and then, something else under its name. */
const addsQuoted = fc
  .record({
    who,
    quote: fc.nat(3),
    fresh: fc.option(quotable, { freq: 2 }),
    quantity,
    note: fc.constantFrom(null, "gift"),
    place: fc.constantFrom("the quote's" as const, "the quote's" as const, null, 1, 0),
    isPlanned: fc.constantFrom(false, false, false, true),
    time,
    manner,
    other: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, choice),
  })
  .map((chosen) =>
    step(`add with a quote ${JSON.stringify(chosen)}`, async (scene) => {
      const shopper = shopperOf(scene, chosen.who);
      const fresh = chosen.fresh && (await askForQuote(scene, shopper, chosen.fresh));
      const quote = fresh ?? scene.quotes[chosen.quote % Math.max(scene.quotes.length, 1)];
      const promised = quote && {
        ...quote.configuration,
        note: chosen.note,
        start: startOf(scene, quote.configuration, chosen.time),
        planId: chosen.isPlanned ? firstPlanOf(scene, quote.configuration) : null,
        ...(chosen.place !== "the quote's" && { locationId: placeAt(scene, chosen.place) }),
      };
      const asked = chosen.other ? configurationOf(scene, chosen.other) : promised;
      if (!asked) return;
      const call = adding(scene, { configuration: asked, quantity: chosen.quantity, quote });
      await write(scene, shopper, { call, manner: chosen.manner });
    }),
  );

export const quoteCommands = fc.oneof(
  { weight: 2, arbitrary: quotes },
  { weight: 1, arbitrary: refreshes },
  { weight: 4, arbitrary: addsQuoted },
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
