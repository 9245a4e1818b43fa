import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import {
  createQuote,
  type QuoteChanges,
  type QuoteContext,
  type QuoteRequest,
  readQuote,
  refreshQuote,
} from "../../../../shared/quotes/index.ts";
import type { RequestContext } from "../../../http/api-env.ts";
import { area } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { contextOf, keyed } from "../../../http/context.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { catalogueProducts } from "../../catalogue-memory.ts";
import { knownLocation } from "../../requests/product-query.ts";
import {
  addOnOptions,
  bundleSelections,
  compositeSelections,
  quantity,
} from "../../requests/selection-fields.ts";
import { QuoteView, viewQuote } from "../../views/catalogue/quote.ts";
import { answersOfShopper as answersOf } from "../../views/order-answers.ts";

const params = z.object({ quote_id: id() });

const NewQuote = z.object({
  product_id: id(),
  variant_id: id().nullish(),
  quantity: quantity().default(1),
  location_id: id().nullish(),
  add_on_option_ids: addOnOptions().nullable().default([]),
  bundle_selections: bundleSelections().nullable().default([]),
  composite_selections: compositeSelections().nullable().default([]),
});

/** What is left out stays as it is; null takes a variant or a location back. */
const ChangesBody = z.object({
  product_id: id().optional(),
  variant_id: id().nullish(),
  quantity: quantity().optional(),
  location_id: id().nullish(),
  add_on_option_ids: addOnOptions().optional(),
  bundle_selections: bundleSelections().optional(),
  composite_selections: compositeSelections().optional(),
});

/** interface.md, Catalogue: quotes. A quote read right after it was made must be there: no replica is asked. */
export const catalogueQuotes = area()
  .openapi(
    contract("post", "/catalogue/quotes", {
      summary: "Promise a price",
      access,
      body: json(NewQuote),
      answer: QuoteView,
      answersOf,
      knowsRepeats: "anew",
    }),
    async (c) => {
      const body = c.req.valid("json");
      const request = requestOf(body, keyed(c).business);
      return c.json(answer(viewQuote(await createQuote(quoteContext(c), request))), 200);
    },
  )
  .openapi(
    contract("get", "/catalogue/quotes/{quote_id}", {
      summary: "A promised price",
      access,
      params,
      answer: QuoteView,
    }),
    async (c) => {
      const quote = await readQuote(quoteContext(c), c.req.valid("param").quote_id);
      return c.json(answer(viewQuote(quote)), 200);
    },
  )
  .openapi(
    contract("post", "/catalogue/quotes/{quote_id}/refresh", {
      summary: "Promise the price of now, for what was quoted before",
      access,
      params,
      body: json(ChangesBody),
      answer: QuoteView,
      answersOf,
      knowsRepeats: "anew",
    }),
    async (c) => {
      const changes = changesOf(c.req.valid("json"), keyed(c).business);
      const { quote_id } = c.req.valid("param");
      return c.json(answer(viewQuote(await refreshQuote(quoteContext(c), quote_id, changes))), 200);
    },
  );

function quoteContext(c: RequestContext): QuoteContext {
  const ctx = contextOf(c, { type: "anonymous" });
  return {
    ...ctx,
    findProducts: (ids, companions) => catalogueProducts.find(ctx, ids, companions),
  };
}

const requestOf = (body: z.infer<typeof NewQuote>, business: Business): QuoteRequest => ({
  productId: body.product_id,
  variantId: body.variant_id ?? null,
  locationId: knownLocation(business, body.location_id ?? undefined),
  quantity: body.quantity,
  addOnOptionIds: body.add_on_option_ids ?? [],
  bundleSelections: body.bundle_selections ?? [],
  compositeSelections: body.composite_selections ?? [],
});

const changesOf = (body: z.infer<typeof ChangesBody>, business: Business): QuoteChanges => ({
  productId: body.product_id,
  variantId: body.variant_id,
  locationId: body.location_id && knownLocation(business, body.location_id),
  quantity: body.quantity,
  addOnOptionIds: body.add_on_option_ids,
  bundleSelections: body.bundle_selections,
  compositeSelections: body.composite_selections,
});
