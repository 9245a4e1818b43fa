import { z } from "@hono/zod-openapi";
import type { MerchantContext } from "../../../shared/businesses/index.ts";
import { iso, notFound, sha256 } from "../../../shared/kernel/index.ts";
import {
  accountRepo,
  type Enrolment,
  enroll,
  enrollWithOrder,
} from "../../../shared/link/index.ts";
import type { RequestContext } from "../../http/api-env.ts";
import { area } from "../../http/app.ts";
import { businessOf } from "../../http/authentication/caller.ts";
import { contactFields, contactOf } from "../../http/authentication/one-time-codes.ts";
import { contextIn, keyed } from "../../http/context.ts";
import { answer, contract, flatContract, json } from "../../http/contract.ts";
import { id, name, text } from "../../wire/fields.ts";
import { orderType } from "../../wire/order-type.ts";
import { keyAndSessionIfSent, keySparingly, sessionIfSent } from "../access.ts";
import { coreOf, linkContext } from "../context.ts";
import {
  AddressBody,
  addressOf,
  MobileMoneyBody,
  mobileMoneyOf,
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

/** interface.md, Link API: who is a Link customer, and becoming one. */
export const enrolment = area()
  .openapi(
    flatContract("post", "/check-status", {
      summary: "Whether a contact has enrolled",
      access: keySparingly,
      body: json(z.object(contactFields)),
      answer: StatusView,
    }),
    async (c) => {
      const { business } = keyed(c);
      const contact = contactOf(c.req.valid("json"), business);
      const isKnown = await accountRepo(coreOf(c)).isEnrolled({ contact, mode: business.mode });
      return c.json({ is_link_customer: isKnown }, 200);
    },
  )
  .openapi(
    contract("post", "/enroll", {
      summary: "Enrol a contact; its account opens with the first login",
      access: keyAndSessionIfSent,
      body: json(z.object({ ...contactFields, name: name().nullish() })),
      answer: EnrolmentView,
    }),
    async (c) => {
      const { name, ...body } = c.req.valid("json");
      const { business } = keyed(c);
      const enrolled = await enroll(linkContext(c), {
        contact: contactOf(body, business),
        mode: business.mode,
        name: name ?? null,
        session: c.get("linkSession"),
      });
      return c.json(answer(viewEnrolment(enrolled)), 200);
    },
  )
  .openapi(
    contract("post", "/enroll-and-link-order", {
      summary:
        "Enrol, keep an address and a mobile-money account, and make an order the account's own",
      access: sessionIfSent,
      body: json(OrderBody),
      answer: LinkedOrderView,
      goesOn: true,
    }),
    async (c) => {
      const { order_id, bill_token, ...body } = c.req.valid("json");
      const ctx = await shopOf(c, body.business_id);
      const enrolled = await enrollWithOrder(ctx, {
        orderId: order_id,
        tokenHash: bill_token ? await sha256(bill_token) : null,
        session: c.get("linkSession"),
        ...savedOf(body, ctx),
      });
      return c.json(answer({ ...viewEnrolment(enrolled), order_id }), 200);
    },
  );

const viewEnrolment = (enrolled: Enrolment): z.infer<typeof EnrolmentView> => ({
  account_id: enrolled.accountId,
  customer_id: enrolled.customerId,
  enrolled_at: iso(enrolled.enrolledAt),
  is_new: enrolled.isNew,
});

/** @throws Refusal VALIDATION_ERROR naming the field. */
const savedOf = (
  { address, mobile_money, order_type }: Omit<z.infer<typeof OrderBody>, "order_id">,
  { business: { defaultCountry } }: MerchantContext,
) => ({
  address: address ? addressOf(address) : null,
  mobileMoney: mobile_money
    ? mobileMoneyOf(mobile_money, { defaultCountry, field: "mobile_money." })
    : null,
  orderType: order_type ?? null,
});

/** The shop that an order is of, which no key of the call names. */
async function shopOf(c: RequestContext, businessId: string): Promise<MerchantContext> {
  const business = await businessOf(c, businessId);
  if (!business) throw notFound("order");
  return { ...contextIn(c, { business, actor: { type: "system", job: "link" } }), core: coreOf(c) };
}
