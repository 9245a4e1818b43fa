import type { AgentCoupon, AgentSession } from "../../../shared/agents/index.ts";
import type { MessageView } from "./message.ts";

/** The codes that were sent, and what is discounted. The allocations of each add up to it. */
export const viewDiscounts = ({ coupons, price }: Pick<AgentSession, "coupons" | "price">) => ({
  codes: coupons.map(({ code }) => code),
  applied: price.discounts.map(({ code, name, amountMinor, shares, deliveryShareMinor = 0 }) => ({
    ...(code === null ? { automatic: true } : { code }),
    title: name,
    amount: amountMinor,
    allocations: [
      ...shares.flatMap((amount, index) =>
        amount > 0 ? [{ path: `$.line_items[${index}]`, amount }] : [],
      ),
      ...(deliveryShareMinor > 0
        ? [{ path: "$.totals.shipping", amount: deliveryShareMinor }]
        : []),
    ],
  })),
});

type Rejection = NonNullable<AgentCoupon["rejection"]>;

const rejections: Readonly<Record<Rejection, Readonly<{ code: string; content: string }>>> = {
  COUPON_INVALID: { code: "discount_code_invalid", content: "This code does not exist." },
  COUPON_NOT_STARTED: { code: "discount_code_invalid", content: "This code is not valid yet." },
  COUPON_EXPIRED: { code: "discount_code_expired", content: "This code has expired." },
  COUPON_MIN_NOT_MET: {
    code: "discount_code_user_ineligible",
    content: "These items do not meet the conditions of this code.",
  },
  COUPON_EXHAUSTED: { code: "discount_code_expired", content: "This code is used up." },
  COUPON_LIMIT: {
    code: "discount_code_combination_disallowed",
    content: "No more codes can be combined.",
  },
};

/** The buyer expects a discount that a rejected code does not give, so each is a warning. */
export const rejectedCodes = ({ coupons }: Pick<AgentSession, "coupons">): MessageView[] =>
  coupons.flatMap(({ rejection }, index) =>
    rejection === null
      ? []
      : [{ type: "warning", ...rejections[rejection], path: `$.discounts.codes[${index}]` }],
  );
