import { z } from "@hono/zod-openapi";
import { type Deal, dealRepo, offerRepo } from "../../../../shared/deals/index.ts";
import { formatMoney, invalid, notFound, parseMoney } from "../../../../shared/kernel/index.ts";
import { amountOff, couponReasons, orderReason } from "../../../../shared/pricing/index.ts";
import { area } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { contextOf, keyed } from "../../../http/context.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { chance } from "../../../runtime/runtime.ts";
import { id, moneyText, name } from "../../../wire/fields.ts";
import { DealView, viewDeal } from "../../../wire/views/catalogue/deal.ts";
import { readerOf } from "../../cached-read.ts";
import { knownLocation } from "../../requests/product-query.ts";

const ValidationView = z
  .object({
    is_valid: z.boolean(),
    reason: z.enum(couponReasons).nullable(),
    discount_amount: z.string(),
    final_subtotal: z.string(),
    deal: DealView.nullable(),
  })
  .openapi("DealValidation");

/** interface.md, Catalogue: deals. They depend on the hour, so that no answer of them is kept. */
export const catalogueDeals = area()
  .openapi(
    contract("post", "/catalogue/deals/validate", {
      summary: "What a code would take off a subtotal",
      access,
      body: json(
        z.object({
          discount_code: name(100),
          order_subtotal: moneyText(),
          location_id: id().nullish(),
        }),
      ),
      answer: ValidationView,
    }),
    async (c) => {
      const { discount_code, order_subtotal, location_id } = c.req.valid("json");
      const { business } = keyed(c);
      const subtotalMinor = parseMoney(order_subtotal, business.currency, "order_subtotal");
      if (subtotalMinor < 0) throw invalid("order_subtotal", "must not be negative.");
      knownLocation(business, location_id ?? undefined);
      const deal = await dealRepo(contextOf(c, { type: "anonymous" })).findByCode(discount_code);
      return c.json(answer(viewValidation(deal, subtotalMinor, business.currency)), 200);
    },
  )
  .openapi(
    contract("get", "/catalogue/categories/{category_id}/deals", {
      summary: "Active deals of a category",
      access,
      params: z.object({ category_id: id() }),
      answer: z.array(DealView),
    }),
    async (c) => {
      const { category_id } = c.req.valid("param");
      const deals = await offerRepo(readerOf(c)).ofCategory(category_id, chance.now());
      if (!deals) throw notFound("category");
      const { currency } = keyed(c).business;
      return c.json(answer(deals.map((deal) => viewDeal(deal, currency))), 200);
    },
  )
  .openapi(
    contract("get", "/catalogue/collections/{collection_id}/deals", {
      summary: "Active deals of a collection",
      access,
      params: z.object({ collection_id: id() }),
      answer: z.array(DealView),
    }),
    async (c) => {
      const { collection_id } = c.req.valid("param");
      const deals = await offerRepo(readerOf(c)).ofCollection(collection_id, chance.now());
      if (!deals) throw notFound("collection");
      const { currency } = keyed(c).business;
      return c.json(answer(deals.map((deal) => viewDeal(deal, currency))), 200);
    },
  );

/** Of a scope but the whole order the subtotal alone tells nothing: all of it counts as covered. */
function viewValidation(
  deal: Deal | null,
  subtotalMinor: number,
  currency: string,
): z.infer<typeof ValidationView> {
  const reason = orderReason(deal, { subtotalMinor, now: chance.now() });
  const off = deal && reason === null ? amountOff(deal, subtotalMinor) : 0;
  return {
    is_valid: reason === null,
    reason,
    discount_amount: formatMoney(off, currency),
    final_subtotal: formatMoney(subtotalMinor - off, currency),
    deal: deal && reason !== "COUPON_INVALID" ? viewDeal(deal, currency) : null,
  };
}
