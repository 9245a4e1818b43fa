import { z } from "@hono/zod-openapi";
import type { MerchantContext } from "../../../shared/businesses/index.ts";
import { iso, notFound, sha256 } from "../../../shared/kernel/index.ts";
import {
  accountRepo,
  type Enrolment,
  enroll,
  enrollWithOrder,
  type OrderLinkContext,
} from "../../../shared/link/index.ts";
import { createRoutes } from "../../http/app.ts";
import { findBusiness } from "../../http/authentication/access.ts";
import { contactFields, parseContact } from "../../http/authentication/one-time-codes.ts";
import { createContextFor, type RequestContext, requireKey } from "../../http/context.ts";
import { envelope, requireJson, route, unwrappedRoute } from "../../http/contract.ts";
import { queueNotice } from "../../runtime/message-queue.ts";
import { id, name, text } from "../../wire/fields.ts";
import { orderType } from "../../wire/order-type.ts";
import { keyForStatusCheck, keyWithOptionalSession, linkSessionOptional } from "../access.ts";
import { createLinkContext, openCore } from "../context.ts";
import type { LinkBindings } from "../env.ts";
import {
  AddressBody,
  MobileMoneyBody,
  parseMobileMoney,
  toAddressFields,
} from "../requests/saved-fields.ts";

const StatusView = z.object({ is_link_customer: z.boolean() }).openapi("LinkStatus");

const EnrolmentView = z
  .object({
    account_id: z.string(),
    customer_id: z.string(),
    enrolled_at: z.string(),
    is_new: z.boolean(),
  })
  .openapi("LinkEnrolment");

const LinkedOrderView = EnrolmentView.extend({ order_id: z.string() }).openapi("LinkOrder");

const OrderBody = z.object({
  order_id: id(),
  business_id: id(),
  bill_token: text(200).min(1).nullish(),
  address: AddressBody.nullish(),
  mobile_money: MobileMoneyBody.nullish(),
  order_type: orderType.nullish(),
});

/** Enrolment of contacts and orders (docs/contract/link.md#enrolment). */
export const enrolment = createRoutes<LinkBindings>()
  .openapi(
    unwrappedRoute("post", "/check-status", {
      summary: "Check whether a contact has enrolled",
      access: keyForStatusCheck,
      body: requireJson(z.object(contactFields)),
      response: StatusView,
    }),
    async (c) => {
      const { business } = requireKey(c);
      const contact = parseContact(c.req.valid("json"), business);
      const isLinkCustomer = await accountRepo(openCore(c)).isEnrolled({
        contact,
        mode: business.mode,
      });
      return c.json({ is_link_customer: isLinkCustomer }, 200);
    },
  )
  .openapi(
    route("post", "/enroll", {
      summary: "Enrol a contact; its account can be read after a login with it",
      access: keyWithOptionalSession,
      body: requireJson(z.object({ ...contactFields, name: name().nullish() })),
      response: EnrolmentView,
    }),
    async (c) => {
      const { name, ...body } = c.req.valid("json");
      const { business } = requireKey(c);
      const enrolled = await enroll(createLinkContext(c), {
        contact: parseContact(body, business),
        mode: business.mode,
        name: name ?? null,
        session: c.get("linkSession"),
      });
      return c.json(envelope(viewEnrolment(enrolled)), 200);
    },
  )
  .openapi(
    route("post", "/enroll-and-link-order", {
      summary:
        "Enrol, link an order to the account, and save an address and a mobile-money account",
      access: linkSessionOptional,
      body: requireJson(OrderBody),
      response: LinkedOrderView,
      idempotency: { resumable: true },
    }),
    async (c) => {
      const { order_id, bill_token, ...body } = c.req.valid("json");
      const ctx = await createShopContext(c, body.business_id);
      const enrolled = await enrollWithOrder(ctx, {
        orderId: order_id,
        tokenHash: bill_token ? await sha256(bill_token) : null,
        session: c.get("linkSession"),
        ...parseSavedRecords(body, ctx),
      });
      return c.json(envelope({ ...viewEnrolment(enrolled), order_id }), 200);
    },
  );

const viewEnrolment = (enrolled: Enrolment): z.infer<typeof EnrolmentView> => ({
  account_id: enrolled.accountId,
  customer_id: enrolled.customerId,
  enrolled_at: iso(enrolled.enrolledAt),
  is_new: enrolled.isNew,
});

/** @throws Refusal VALIDATION_ERROR that names the invalid field. */
const parseSavedRecords = (
  { address, mobile_money, order_type }: Omit<z.infer<typeof OrderBody>, "order_id">,
  { business: { defaultCountry } }: MerchantContext,
) => ({
  address: address ? toAddressFields(address) : null,
  mobileMoney: mobile_money
    ? parseMobileMoney(mobile_money, { defaultCountry, field: "mobile_money." })
    : null,
  orderType: order_type ?? null,
});

/**
 * The context of the business to which the order belongs. The call's credential does not identify
 * it.
 */
async function createShopContext(
  c: RequestContext<LinkBindings>,
  businessId: string,
): Promise<OrderLinkContext> {
  const business = await findBusiness(c, businessId);
  if (!business || business.status.type === "closed") throw notFound("order");
  return {
    ...createContextFor(c, { business, actor: { type: "system", job: "link" } }),
    core: openCore(c),
    notify: (contacts, notice) => queueNotice(c.env, c.get("settings"), { contacts, notice }),
  };
}
