import fc from "fast-check";
import { expect } from "vitest";
import type { ApiResponse } from "../support/world.ts";
import { dataOf } from "../support/world.ts";
import { formatted } from "./arithmetic.ts";
import { sendManner } from "./cart-commands.ts";
import type { Quote } from "./cart-model.ts";
import {
  additionWrite,
  choice,
  configurationOf,
  firstPlanOf,
  locationIdAt,
  locationIndex,
  productIndex,
  quantity,
  slotStartOf,
  slotTime,
} from "./cart-requests.ts";
import { afterQuoteRefresh } from "./cart-rules.ts";
import { acceptCart, sendWrite } from "./cart-writes.ts";
import { possibleShops, type Scene, type Shopper, send } from "./scene.ts";
import { type Configuration, faultsOf, unitPriceOf, variantOf } from "./shop-model.ts";
import { createStep, shopperIndex, shopperOf } from "./step.ts";

const quoteQuantity = fc.constantFrom(1, 3, 9, 100);

export const quoteRequest = fc.record({
  good: fc.oneof({ weight: 2, arbitrary: productIndex }, fc.constantFrom(0, 5)),
  choice: fc.nat(6),
  location: locationIndex,
  quantity: quoteQuantity,
});
type QuoteRequest = Readonly<{
  good: number;
  choice: number;
  location: number | null;
  quantity: number;
}>;

const quotes = fc.record({ who: shopperIndex, wanted: quoteRequest }).map((chosen) =>
  createStep(`quote ${JSON.stringify(chosen)}`, async (scene) => {
    await requestQuote(scene, shopperOf(scene, chosen.who), chosen.wanted);
  }),
);

/** Requests a quote and returns it; null for a refusal. */
export async function requestQuote(
  scene: Scene,
  shopper: Shopper,
  { quantity, ...chosen }: QuoteRequest,
): Promise<Quote | null> {
  const time = { hour: 9, minutes: null };
  const wanted = configurationOf(scene, { ...chosen, time, plan: null, note: null });
  const configuration = { ...wanted, start: null };
  const answer = await send(shopper, {
    method: "POST",
    path: "/catalogue/quotes",
    body: quoteBody(scene, { configuration, quantity }),
  });
  const quote = checkQuote(scene, answer, { configuration, quantity });
  if (quote) scene.quotes = [...scene.quotes, quote];
  return quote;
}

const refreshes = fc
  .record({ who: shopperIndex, quote: fc.nat(3), quantity: fc.option(quoteQuantity) })
  .map((chosen) =>
    createStep(`refresh ${JSON.stringify(chosen)}`, async (scene) => {
      const before = scene.quotes[chosen.quote % Math.max(scene.quotes.length, 1)];
      if (before) await refreshQuote(scene, shopperOf(scene, chosen.who), before, chosen.quantity);
    }),
  );

/** Refreshes a quote, with its own quantity or another. */
export async function refreshQuote(
  scene: Scene,
  shopper: Shopper,
  before: Quote,
  pieces: number | null,
): Promise<void> {
  const isHeldBy = ({ cart }: Shopper) => cart.lines.some(({ quote }) => quote?.id === before.id);
  // Another session's cart may or may not know of the refresh before its checkout.
  if (scene.shoppers.some((one) => one !== shopper && isHeldBy(one))) return;
  const request = {
    method: "POST",
    path: `/catalogue/quotes/${before.id}/refresh`,
    body: pieces === null ? {} : { quantity: pieces },
  };
  const answer = await send(shopper, request);
  // The contract does not say how long an expired quote can be refreshed.
  if (answer.status === 404 && Date.now() >= before.expiresAt) return;
  const { configuration, quantity } = before;
  const quote = checkQuote(scene, answer, { configuration, quantity: pieces ?? quantity });
  if (!quote) return;
  expect(quote.id).toBe(before.id);
  scene.quotes = scene.quotes.map((one) => (one === before ? quote : one));
  if (!isHeldBy(shopper)) return;
  acceptCart(scene, shopper, {
    call: {
      request,
      outcome: (moment, cart) => afterQuoteRefresh(moment, cart, quote),
      extraRoundTrips: 0,
    },
    answer: await shopper.ask("GET", "/cart"),
  });
}

/** Adds the quoted configuration, or sometimes another with the same quote. */
const addsQuoted = fc
  .record({
    who: shopperIndex,
    quote: fc.nat(3),
    fresh: fc.option(quoteRequest, { freq: 2 }),
    quantity,
    note: fc.constantFrom(null, "gift"),
    location: fc.constantFrom("the quote's" as const, "the quote's" as const, null, 1, 0),
    isPlanned: fc.constantFrom(false, false, false, true),
    time: slotTime,
    manner: sendManner,
    other: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, choice),
  })
  .map((chosen) =>
    createStep(`add with a quote ${JSON.stringify(chosen)}`, async (scene) => {
      const shopper = shopperOf(scene, chosen.who);
      const fresh = chosen.fresh && (await requestQuote(scene, shopper, chosen.fresh));
      const quote = fresh ?? scene.quotes[chosen.quote % Math.max(scene.quotes.length, 1)];
      const promised = quote && {
        ...quote.configuration,
        note: chosen.note,
        start: slotStartOf(scene, quote.configuration, chosen.time),
        planId: chosen.isPlanned ? firstPlanOf(scene, quote.configuration) : null,
        ...(chosen.location !== "the quote's" && {
          locationId: locationIdAt(scene, chosen.location),
        }),
      };
      const configuration = chosen.other ? configurationOf(scene, chosen.other) : promised;
      if (!configuration) return;
      const call = additionWrite(scene, {
        configuration: configuration,
        quantity: chosen.quantity,
        quote,
      });
      await sendWrite(scene, shopper, { call, manner: chosen.manner });
    }),
  );

export const quoteCommands = fc.oneof(
  { weight: 2, arbitrary: quotes },
  { weight: 1, arbitrary: refreshes },
  { weight: 4, arbitrary: addsQuoted },
);

/** Checks a quote against the model: the current price, valid for 15 minutes. */
function checkQuote(
  scene: Scene,
  answer: ApiResponse,
  { configuration, quantity }: Pick<Quote, "configuration" | "quantity">,
): Quote | null {
  const shops = possibleShops(scene);
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
