import { z } from "@hono/zod-openapi";
import type { MerchantContext } from "../../../shared/businesses/index.ts";
import { iso, notFound, sha256 } from "../../../shared/kernel/index.ts";
import {
  type Enrolment,
  enroll,
  enrollWithOrder,
  hasVerified,
  isEnrolled,
  type LoginContext,
  type OrderLinkContext,
  requestEnrolment,
  requestOrderLink,
} from "../../../shared/link/index.ts";
import { createRoutes } from "../../http/app.ts";
import { findBusiness } from "../../http/authentication/access.ts";
import { contactFields, parseContact } from "../../http/authentication/one-time-codes.ts";
import { createContextFor, type RequestContext, requireKey } from "../../http/context.ts";
import { envelope, requireJson, route, unwrappedRoute } from "../../http/contract.ts";
import { queueNotice } from "../../runtime/message-queue.ts";
import { id, name, text } from "../../wire/fields.ts";
import { orderType } from "../../wire/order-type.ts";
import {
  countAnonymousCall,
  keyForStatusCheck,
  keyWithOptionalSession,
  linkSessionOptional,
} from "../access.ts";
import {
  createAccountContext,
  createLinkContext,
  createLoginContext,
  deriveAccountIdSecret,
  openCore,
} from "../context.ts";
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
      operationId: "checkEnrolment",
      tag: "Enrolment",
      summary: "Check whether a contact has enrolled",
      access: keyForStatusCheck,
      body: requireJson(z.object(contactFields)),
      response: StatusView,
    }),
    async (c) => {
      const { business } = requireKey(c);
      const contact = parseContact(c.req.valid("json"), business);
      const { mode } = business;
      const isLinkCustomer = await isEnrolled(createLinkContext(c), { contact, mode });
      return c.json({ is_link_customer: isLinkCustomer }, 200);
    },
  )
  .openapi(
    route("post", "/enroll", {
      operationId: "enrollContact",
      tag: "Enrolment",
      summary: "Enrol a contact; without its owner's session at the owner's next login",
      access: keyWithOptionalSession,
      body: requireJson(z.object({ ...contactFields, name: name().nullish() })),
      response: EnrolmentView,
    }),
    async (c) => {
      const { name = null, ...body } = c.req.valid("json");
      const { business } = requireKey(c);
      const contact = parseContact(body, business);
      const { mode } = business;
      const session = c.get("linkSession");
      if (session?.account.mode === mode && hasVerified(session.contacts, contact))
        return c.json(
          envelope(viewEnrolment(await enroll(createAccountContext(c), { name }))),
          200,
        );
      if (session) await countAnonymousCall(c, "contact");
      const request = { contact, mode, business, name };
      const requested = await requestEnrolment(await createLoginContext(c), request);
      return c.json(envelope(viewEnrolment(requested)), 200);
    },
  )
  .openapi(
    route("post", "/enroll-and-link-order", {
      operationId: "enrollAndLinkOrder",
      tag: "Enrolment",
      summary:
        "Enrol, link an order to the account, and save an address and a mobile-money account; without a session all of it waits for the owner's login",
      access: linkSessionOptional,
      rules: ["SAVED_LIMIT"],
      body: requireJson(OrderBody),
      response: LinkedOrderView,
      idempotency: { resumable: true },
    }),
    async (c) => {
      const { order_id, bill_token, ...body } = c.req.valid("json");
      const ctx = await createShopContext(c, body.business_id);
      const session = c.get("linkSession");
      const request = {
        orderId: order_id,
        tokenHash: bill_token ? await sha256(bill_token) : null,
        ...parseSavedRecords(body, ctx),
      };
      const enrolled = session
        ? await enrollWithOrder(ctx, { ...request, session })
        : await requestOrderLink(ctx, request);
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
): Promise<OrderLinkContext & Pick<LoginContext, "accountIdSecret">> {
  const business = await findBusiness(c, businessId);
  if (!business || business.status.type === "closed") throw notFound("order");
  const core = openCore(c);
  return {
    ...createContextFor(c, { business, actor: { type: "system", job: "link" } }),
    core,
    accountIdSecret: await deriveAccountIdSecret(c),
    notify: (contacts, notice) =>
      queueNotice({ bindings: c.env, settings: c.get("settings"), core }, { contacts, notice }),
  };
}
