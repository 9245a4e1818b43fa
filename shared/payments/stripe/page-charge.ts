import type Stripe from "stripe";
import { minute } from "../../kernel/index.ts";
import {
  type ChargeRequest,
  type ChargeResult,
  declined,
  noAnswer,
  type ReturnPage,
  unavailableCharge,
} from "../provider.ts";
import { toStripeAmount } from "./amounts.ts";
import type { CallStripe, StripeResponse } from "./client.ts";
import { outcomeOf } from "./lookup.ts";
import { metadataKeys, type PageSession, SessionData } from "./objects.ts";
import type { RefusedCharge } from "./refused-charge.ts";

/** What the page of a charge needs. */
export type PageRequest = Omit<ChargeRequest, "mobileMoney" | "paymentToken"> & ReturnPage;

/** How long Stripe keeps a page open at least. */
const minPageMs = 30 * minute;
/** For the time that passes between an order and its page. */
const marginMs = 2 * minute;

/** Creates the function that opens Stripe's page for a charge. */
export function createStripePage(
  { now }: Readonly<{ now: () => number }>,
  callStripe: CallStripe,
  refusedCharge: RefusedCharge,
) {
  /**
   * Opens the page. Our reference is the idempotency key, so that a repeat returns the same page.
   *
   * @param idempotencyKey another key, when the reference was used for another call before.
   */
  return async function openPage(
    request: PageRequest,
    idempotencyKey = request.reference,
  ): Promise<ChargeResult> {
    const amount = toStripeAmount(request.amountMinor, request.currency);
    if (amount === null) return unavailableCharge("currency");
    const open = (expiresAt: number) =>
      createSession(sessionParams(request, { amount, expiresAt }), idempotencyKey);
    const first = await open(request.expiresAt + marginMs);
    // Stripe had not received the charge before, and it is too late for the time that it asked for.
    const isTooLate = first.type === "refused" && first.param === "expires_at";
    const response = isTooLate ? await open(now() + minPageMs + marginMs) : first;
    return toResult(request, response);
  };

  function createSession(
    params: Stripe.Checkout.SessionCreateParams,
    idempotencyKey: string,
  ): Promise<StripeResponse<PageSession>> {
    return callStripe({
      name: "POST /v1/checkout/sessions",
      send: ({ checkout }) => checkout.sessions.create(params, { idempotencyKey }),
      Data: SessionData,
    });
  }

  function toResult(
    { reference }: PageRequest,
    response: StripeResponse<PageSession>,
  ): ChargeResult {
    if (response.type === "refused" && response.code === "idempotency_error") {
      // An earlier run sent other return addresses. Nobody has seen its page, so nobody can pay it.
      return declined("The address of the payment page was lost.");
    }
    if (response.type !== "ok") return refusedCharge(response);
    if (response.data.client_reference_id !== reference) return noAnswer;
    const result = outcomeOf({ type: "session", session: response.data });
    return result.type === "open" || result.type === "unknown" ? noAnswer : result;
  }
}

function sessionParams(
  { reference, orderId, orderNumber, currency, email, savesPayer, returnUrls, origin }: PageRequest,
  { amount, expiresAt }: Readonly<{ amount: number; expiresAt: number }>,
): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    [metadataKeys.reference]: reference,
    [metadataKeys.orderId]: orderId,
  };
  return {
    mode: "payment",
    ui_mode: "hosted_page",
    allowed_payment_method_types: ["card"],
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: amount,
          product_data: { name: `Order ${orderNumber}` },
        },
      },
    ],
    // A page that showed another currency would capture an amount that does not settle the order.
    adaptive_pricing: { enabled: false },
    client_reference_id: reference,
    metadata,
    payment_intent_data: {
      metadata,
      description: `Order ${orderNumber}`,
      ...(savesPayer && { setup_future_usage: "off_session" }),
    },
    ...(savesPayer && { customer_creation: "always" }),
    ...(email !== null && { customer_email: email }),
    expires_at: Math.floor(expiresAt / 1000),
    ...pageUrls({ returnUrls, origin }),
  };
}

/** Stripe's page needs an address to lead to; a shop that gave none gets our page. */
export function pageUrls({ returnUrls: { success, cancel }, origin }: ReturnPage) {
  const fallback = `${origin}${returnPagePath}`;
  return { success_url: success ?? fallback, cancel_url: cancel ?? success ?? fallback };
}

/** The page that says that the shop shows the outcome of the payment. */
const returnPagePath = "/api/v1/payments/return";
