import { z } from "@hono/zod-openapi";
import { type Deal, dealRepo, offerRepo } from "../../../../shared/deals/index.ts";
import { formatMoney, invalid, notFound, parseMoney } from "../../../../shared/kernel/index.ts";
import {
  couponRejectionReasons,
  discountAmount,
  orderRejection,
} from "../../../../shared/pricing/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { createContext, requireKey } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { id, moneyText, name } from "../../../wire/fields.ts";
import { DealView, viewDeal } from "../../../wire/views/catalogue/deal.ts";
import { createCatalogueReader } from "../../cache/cached-responses.ts";
import { requireLocationIfNamed } from "../../requests/product-query.ts";

const DealValidationView = z
  .object({
    is_valid: z.boolean(),
    reason: z.enum(couponRejectionReasons).nullable(),
    discount_amount: z.string(),
    final_subtotal: z.string(),
    deal: DealView.nullable(),
  })
  .openapi("DealValidation");

/** docs/contract/storefront.md#deals. Not cached, because deals start and end at any time. */
export const catalogueDeals = createRoutes()
  .openapi(
    route("post", "/catalogue/deals/validate", {
      summary: "Calculate the discount of a code on a subtotal",
      access,
      body: requireJson(
        z.object({
          discount_code: name(100),
          order_subtotal: moneyText(),
          location_id: id().nullish(),
        }),
      ),
      response: DealValidationView,
    }),
    async (c) => {
      const { discount_code, order_subtotal, location_id } = c.req.valid("json");
      const { business } = requireKey(c);
      const subtotalMinor = parseMoney(order_subtotal, business.currency, "order_subtotal");
      if (subtotalMinor < 0) throw invalid("order_subtotal", "must not be negative");
      requireLocationIfNamed(business, location_id ?? undefined);
      const deal = await dealRepo(createContext(c, { type: "anonymous" })).findByCode(
        discount_code,
      );
      return c.json(envelope(viewDealValidation(deal, subtotalMinor, business.currency)), 200);
    },
  )
  .openapi(
    route("get", "/catalogue/categories/{category_id}/deals", {
      summary: "List a category's active deals",
      access,
      params: z.object({ category_id: id() }),
      response: z.array(DealView),
    }),
    async (c) => {
      const { category_id } = c.req.valid("param");
      const deals = await offerRepo(createCatalogueReader(c)).listForCategory(
        category_id,
        runtime.now(),
      );
      if (!deals) throw notFound("category");
      const { currency } = requireKey(c).business;
      return c.json(envelope(deals.map((deal) => viewDeal(deal, currency))), 200);
    },
  )
  .openapi(
    route("get", "/catalogue/collections/{collection_id}/deals", {
      summary: "List a collection's active deals",
      access,
      params: z.object({ collection_id: id() }),
      response: z.array(DealView),
    }),
    async (c) => {
      const { collection_id } = c.req.valid("param");
      const deals = await offerRepo(createCatalogueReader(c)).listForCollection(
        collection_id,
        runtime.now(),
      );
      if (!deals) throw notFound("collection");
      const { currency } = requireKey(c).business;
      return c.json(envelope(deals.map((deal) => viewDeal(deal, currency))), 200);
    },
  );

/**
 * Calculates the discount from the whole subtotal, because this request does not name the cart's
 * lines to which a deal may be limited.
 */
function viewDealValidation(
  deal: Deal | null,
  subtotalMinor: number,
  currency: string,
): z.infer<typeof DealValidationView> {
  const reason = orderRejection(deal, { subtotalMinor, now: runtime.now() });
  const discountMinor = deal && reason === null ? discountAmount(deal, subtotalMinor) : 0;
  return {
    is_valid: reason === null,
    reason,
    discount_amount: formatMoney(discountMinor, currency),
    final_subtotal: formatMoney(subtotalMinor - discountMinor, currency),
    deal: deal && reason !== "COUPON_INVALID" ? viewDeal(deal, currency) : null,
  };
}
