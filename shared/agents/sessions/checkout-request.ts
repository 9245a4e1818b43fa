import type { Business } from "../../businesses/index.ts";
import type { SentCheckoutRequest } from "../../checkout/index.ts";
import { normalizePhone } from "../../customers/index.ts";
import type { OrderAgent } from "../../orders/index.ts";
import { type MobileMoney, mobileMoneyProvider } from "../../payments/index.ts";
import type { AgentBuyer, AgentPayment } from "../agent-session.ts";
import { contactOf } from "./contact.ts";

type CheckoutInput = Readonly<{
  cartId: string;
  /** The total that the agent was last shown. */
  totalMinor: number;
  buyer: AgentBuyer | null;
  payment: AgentPayment;
  origin: string;
  returnUrl: string | null;
  agent: OrderAgent;
}>;

/**
 * The request of an ordinary checkout; null for a mobile-money account that is not valid. The
 * delivery is that of the cart.
 */
export function toCheckoutRequest(
  business: Business,
  { cartId, totalMinor, buyer, payment, origin, returnUrl, agent }: CheckoutInput,
): SentCheckoutRequest | null {
  const mobileMoney = payment.method === "mobile_money" ? mobileMoneyOf(payment, business) : null;
  if (payment.method === "mobile_money" && mobileMoney === null) return null;
  const name = [buyer?.firstName, buyer?.lastName].filter(Boolean).join(" ");
  return {
    cartId,
    customer: {
      name: name || null,
      ...contactOf(buyer, business),
      notes: null,
      savesDetails: false,
    },
    orderType: null,
    deliveryOptionId: null,
    addressInfo: null,
    paymentMethod: payment.method,
    mobileMoney,
    returnUrls: { success: returnUrl, cancel: returnUrl },
    origin,
    payCurrency: null,
    fxQuoteId: null,
    specialInstructions: null,
    metadata: {},
    expectedTotalMinor: totalMinor,
    agent,
  };
}

function mobileMoneyOf(
  { phoneNumber: sent, provider: name }: Extract<AgentPayment, { method: "mobile_money" }>,
  { defaultCountry }: Business,
): MobileMoney | null {
  const phoneNumber = normalizePhone(sent, defaultCountry);
  const provider = mobileMoneyProvider(name);
  return phoneNumber === null || provider === null ? null : { phoneNumber, provider };
}
