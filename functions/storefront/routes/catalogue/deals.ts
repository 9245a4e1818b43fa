import { z } from "@hono/zod-openapi";
import { type Deal, dealRepo } from "../../../../shared/deals/index.ts";
import { formatMoney, invalid, notFound, parseMoney } from "../../../../shared/kernel/index.ts";
import {
  couponRejectionReasons,
  discountAmount,
  isValueDiscount,
  orderRejection,
} from "../../../../shared/pricing/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { createContext, type RequestContext, requireKey } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { id, moneyText, name } from "../../../wire/fields.ts";
import { DealView, viewDeal } from "../../../wire/views/catalogue/deal.ts";
import { createCatalogueReader } from "../../cache/cached-responses.ts";
import { catalogueGroupDeals, customerGroups } from "../../cache/isolate-caches.ts";
import { callExistingSession } from "../../caller-session.ts";
import type { StorefrontBindings } from "../../env.ts";
import { requireLocationIfNamed } from "../../requests/product-query.ts";

/** Why a cart would refuse a code. */
const validationReasons = [...couponRejectionReasons, "COUPON_LIMIT"] as const;

const DealValidationView = z
  .object({
    is_valid: z.boolean(),
    reason: z.enum(validationReasons).nullable(),
    discount_amount: z.string().nullable(),
    final_subtotal: z.string().nullable(),
    requires_cart: z.boolean(),
    deal: DealView.nullable(),
  })
  .openapi("DealValidation");

const createReadContext = (c: RequestContext) => ({
  ...createCatalogueReader(c),
  now: runtime.now,
});

/** The calls for deals and for trying a coupon code (docs/contract/storefront.md#deals). */
export const catalogueDeals = createRoutes<StorefrontBindings>()
  .openapi(
    route("post", "/catalogue/deals/validate", {
      operationId: "validateDeal",
      tag: "Deals",
      summary: "Calculate the discount of a code on the session's cart or on a subtotal",
      access,
      session: "optional",
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
      const locationId = requireLocationIfNamed(business, location_id ?? undefined);
      const called = await callExistingSession(c, "previewCoupon", discount_code);
      const { preview = null, customerId = null } = called?.result ?? {};
      const value =
        preview ??
        (await valueOnSubtotal(c, discount_code, { subtotalMinor, locationId, customerId }));
      return c.json(envelope(viewDealValidation(value, business.currency)), 200);
    },
  )
  .openapi(
    route("get", "/catalogue/categories/{category_id}/deals", {
      operationId: "listCategoryDeals",
      tag: "Categories",
      summary: "List a category's active deals",
      access,
      params: z.object({ category_id: id() }),
      response: z.array(DealView),
    }),
    async (c) => {
      const { category_id: id } = c.req.valid("param");
      const deals = await catalogueGroupDeals.find(createReadContext(c), { scope: "category", id });
      if (!deals) throw notFound("category");
      const { currency } = requireKey(c).business;
      return c.json(envelope(deals.map((deal) => viewDeal(deal, currency))), 200);
    },
  )
  .openapi(
    route("get", "/catalogue/collections/{collection_id}/deals", {
      operationId: "listCollectionDeals",
      tag: "Collections",
      summary: "List a collection's active deals",
      access,
      params: z.object({ collection_id: id() }),
      response: z.array(DealView),
    }),
    async (c) => {
      const { collection_id: id } = c.req.valid("param");
      const deals = await catalogueGroupDeals.find(createReadContext(c), {
        scope: "collection",
        id,
      });
      if (!deals) throw notFound("collection");
      const { currency } = requireKey(c).business;
      return c.json(envelope(deals.map((deal) => viewDeal(deal, currency))), 200);
    },
  );

/** What a code takes off; null amounts when that depends on the lines of a cart. */
type CodeValue = Readonly<{
  reason: (typeof validationReasons)[number] | null;
  discountMinor: number | null;
  finalSubtotalMinor: number | null;
  deal: Deal | null;
}>;

type SubtotalInput = Readonly<{
  subtotalMinor: number;
  locationId: string | null;
  /** The logged-in customer, who may be in a customer group; null for a guest. */
  customerId: string | null;
}>;

/** Whether the deal is for everybody, or for a group of the customer. */
async function isOpenTo(
  c: RequestContext,
  { customerGroupIds }: Deal,
  customerId: string | null,
): Promise<boolean> {
  if (customerGroupIds === null) return true;
  if (customerId === null) return false;
  const own = await customerGroups.find(createReadContext(c), customerId);
  return customerGroupIds.some((id) => own.has(id));
}

/** Without a cart, the amount of a deal that is not on the whole order is unknown. */
async function valueOnSubtotal(
  c: RequestContext,
  code: string,
  { subtotalMinor, locationId, customerId }: SubtotalInput,
): Promise<CodeValue> {
  const deals = dealRepo(createContext(c, { type: "anonymous" }));
  const found = await deals.findByCode(code);
  const isUsable =
    found === null ||
    ((await isOpenTo(c, found, customerId)) &&
      (locationId === null || (await deals.isUsableAt(found, locationId))));
  const deal = isUsable ? found : null;
  const reason = orderRejection(deal, { subtotalMinor, now: runtime.now() });
  if (deal === null || reason !== null) {
    return { reason, discountMinor: 0, finalSubtotalMinor: subtotalMinor, deal };
  }
  const { discount, appliesTo } = deal;
  const isOfOrder = appliesTo.scope === "order";
  const discountMinor =
    isOfOrder && isValueDiscount(discount)
      ? discountAmount({ ...deal, discount }, subtotalMinor)
      : null;
  const finalSubtotalMinor = discountMinor === null ? null : subtotalMinor - discountMinor;
  return { reason, discountMinor, finalSubtotalMinor, deal };
}

function viewDealValidation(
  { reason, discountMinor, finalSubtotalMinor, deal }: CodeValue,
  currency: string,
): z.infer<typeof DealValidationView> {
  const amount = (minor: number | null) => (minor === null ? null : formatMoney(minor, currency));
  return {
    is_valid: reason === null,
    reason,
    discount_amount: amount(discountMinor),
    final_subtotal: amount(finalSubtotalMinor),
    requires_cart: discountMinor === null,
    deal: deal && reason !== "COUPON_INVALID" ? viewDeal(deal, currency) : null,
  };
}
