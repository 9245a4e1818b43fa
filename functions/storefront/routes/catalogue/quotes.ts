import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import {
  createQuote,
  type QuoteContext,
  type QuoteRequest,
  type QuoteUpdate,
  quoteRepo,
  refreshQuote,
} from "../../../../shared/quotes/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { createContext, type RequestContext, requireKey } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { catalogueProducts } from "../../cache/isolate-caches.ts";
import { callExistingSession } from "../../caller-session.ts";
import type { StorefrontBindings } from "../../env.ts";
import { requireLocationIfNamed } from "../../requests/product-query.ts";
import {
  addOnOptions,
  bundleSelections,
  compositeSelections,
  quantity,
} from "../../requests/selection-fields.ts";
import { storeByShopper } from "../../response-stores.ts";
import { QuoteView, viewQuote } from "../../views/catalogue/quote.ts";

const params = z.object({ quote_id: id() });

const NewQuoteBody = z.object({
  product_id: id(),
  variant_id: id().nullish(),
  quantity: quantity().default(1),
  location_id: id().nullish(),
  add_on_option_ids: addOnOptions().nullable().default([]),
  bundle_selections: bundleSelections().nullable().default([]),
  composite_selections: compositeSelections().nullable().default([]),
});

/**
 * Changes to a quote. An omitted field keeps its value. Null removes the variant or the location.
 */
const QuoteChangesBody = z.object({
  product_id: id().optional(),
  variant_id: id().nullish(),
  quantity: quantity().optional(),
  location_id: id().nullish(),
  add_on_option_ids: addOnOptions().optional(),
  bundle_selections: bundleSelections().optional(),
  composite_selections: compositeSelections().optional(),
});

/** docs/contract/storefront.md#price-quotes. Reads use no replica, because a new quote must be found immediately. */
export const catalogueQuotes = createRoutes<StorefrontBindings>()
  .openapi(
    route("post", "/catalogue/quotes", {
      operationId: "createQuote",
      tag: "Quotes",
      summary: "Create a price quote",
      access,
      session: "optional",
      rules: ["SELECTION_INVALID", "OUT_OF_STOCK"],
      body: requireJson(NewQuoteBody),
      response: QuoteView,
      idempotency: { store: storeByShopper, replay: "fresh" },
    }),
    async (c) => {
      const body = c.req.valid("json");
      const request = toQuoteRequest(body, requireKey(c).business);
      return c.json(envelope(viewQuote(await createQuote(createQuoteContext(c), request))), 200);
    },
  )
  .openapi(
    route("get", "/catalogue/quotes/{quote_id}", {
      operationId: "getQuote",
      tag: "Quotes",
      summary: "Get a price quote",
      access,
      session: "optional",
      params,
      response: QuoteView,
    }),
    async (c) => {
      const ctx = createQuoteContext(c);
      const quote = await quoteRepo(ctx).get(c.req.valid("param").quote_id, ctx.now());
      return c.json(envelope(viewQuote(quote)), 200);
    },
  )
  .openapi(
    route("post", "/catalogue/quotes/{quote_id}/refresh", {
      operationId: "refreshQuote",
      tag: "Quotes",
      summary: "Refresh a price quote with the current price",
      access,
      session: "optional",
      rules: ["SELECTION_INVALID", "QUOTE_MISMATCH", "OUT_OF_STOCK"],
      params,
      body: requireJson(QuoteChangesBody),
      response: QuoteView,
      idempotency: { store: storeByShopper, replay: "fresh" },
    }),
    async (c) => {
      const changes = toQuoteUpdate(c.req.valid("json"), requireKey(c).business);
      const { quote_id } = c.req.valid("param");
      const quote = await refreshQuote(createQuoteContext(c), quote_id, changes);
      await callExistingSession(c, "takeRefreshedQuote", quote);
      return c.json(envelope(viewQuote(quote)), 200);
    },
  );

function createQuoteContext(c: RequestContext): QuoteContext {
  const ctx = createContext(c, { type: "anonymous" });
  return {
    ...ctx,
    findProducts: (ids, prefetches) => catalogueProducts.findCurrent(ctx, ids, prefetches),
  };
}

const toQuoteRequest = (body: z.infer<typeof NewQuoteBody>, business: Business): QuoteRequest => ({
  productId: body.product_id,
  variantId: body.variant_id ?? null,
  locationId: requireLocationIfNamed(business, body.location_id ?? undefined),
  quantity: body.quantity,
  addOnOptionIds: body.add_on_option_ids ?? [],
  bundleSelections: body.bundle_selections ?? [],
  compositeSelections: body.composite_selections ?? [],
});

const toQuoteUpdate = (
  body: z.infer<typeof QuoteChangesBody>,
  business: Business,
): QuoteUpdate => ({
  productId: body.product_id,
  variantId: body.variant_id,
  locationId: body.location_id && requireLocationIfNamed(business, body.location_id),
  quantity: body.quantity,
  addOnOptionIds: body.add_on_option_ids,
  bundleSelections: body.bundle_selections,
  compositeSelections: body.composite_selections,
});
