import {
  cancelAgentSession,
  completeAgentCheckout,
  createAgentSession,
  getAgentSession,
  replaceAgentSession,
  startAgentCheckout,
} from "../agent-session-calls.ts";
import { withLinkedBuyer } from "../oauth/with-linked-buyer.ts";
import { loadPaymentHandlers } from "../payment-handlers.ts";
import { parseBody } from "../requests/parse-body.ts";
import {
  CheckoutRequest,
  CompletionRequest,
  ConversionRequest,
} from "../requests/session-fields.ts";
import { toCartRequest } from "../requests/to-cart-request.ts";
import { toPayment } from "../requests/to-payment.ts";
import type { RunAgentOperation } from "./agent-operation.ts";
import { requireRecordId } from "./record-id.ts";
import { answerWithSession } from "./session-answer.ts";

const stage = "checkout";

/** Creates a checkout of items, or turns a cart into its one checkout (docs/agents.md#checkouts). */
export const createCheckout: RunAgentOperation = async (call, { body }) => {
  const created = { stage, id: null, status: 201 } as const;
  if (call.capabilities.has("dev.ucp.shopping.cart") && Object(body).cart_id !== undefined) {
    const { cart_id: cartId } = parseBody(ConversionRequest, body);
    return answerWithSession(call, created, () => startAgentCheckout(call, cartId));
  }
  const sent = toCartRequest(call, parseBody(CheckoutRequest, body));
  const request = await withLinkedBuyer(call, sent);
  return answerWithSession(call, created, () => createAgentSession(call, { stage, request }));
};

export const getCheckout: RunAgentOperation = async (call, input) => {
  const id = requireRecordId(input);
  return answerWithSession(call, { stage, id }, () => getAgentSession(call, id, stage));
};

/** Replaces a checkout as a whole. */
export const updateCheckout: RunAgentOperation = async (call, input) => {
  const id = requireRecordId(input);
  const request = toCartRequest(call, parseBody(CheckoutRequest, input.body));
  return answerWithSession(call, { stage, id }, () =>
    replaceAgentSession(call, id, { stage, request }),
  );
};

/** Places the order and charges it (docs/agents.md#completing-a-checkout). */
export const completeCheckout: RunAgentOperation = async (call, input) => {
  const id = requireRecordId(input);
  const { payment } = parseBody(CompletionRequest, input.body);
  const handlers = await loadPaymentHandlers(call.http, call.business);
  const completion = {
    payment: toPayment(payment.instruments, handlers),
    origin: new URL(call.http.req.url).origin,
    returnUrl: null,
  };
  return answerWithSession(call, { stage, id }, () => completeAgentCheckout(call, id, completion));
};

/** Cancels a checkout. One that is completed or canceled stays as it is. */
export const cancelCheckout: RunAgentOperation = async (call, input) => {
  const id = requireRecordId(input);
  return answerWithSession(call, { stage, id }, () => cancelAgentSession(call, id, stage));
};
