import {
  declinedPaymentReason,
  type RefusalContext,
  type RefusalData,
} from "../../kernel/index.ts";
import type { AgentProblem } from "../agent-session.ts";
import {
  itemsUnavailable,
  loginRequired,
  missingOption,
  noLines,
  optionUnavailable,
  orderRefused,
  paymentFailed,
  paymentUnavailable,
  priceChanged,
  soldOut,
} from "./problems.ts";

/** The problem that a refused completion leaves; null for a refusal that the call itself gets. */
export function completionProblem({ code, message, context }: RefusalData): AgentProblem | null {
  if (code === "SERVICE_UNAVAILABLE" && context?.reason === declinedPaymentReason) {
    return paymentFailed("The payment was declined. Nothing was charged; pay another way.");
  }
  return code === "BUSINESS_RULE_VIOLATION" ? ruleProblem(message, context) : null;
}

function ruleProblem(message: string, context: RefusalContext = {}): AgentProblem {
  const { rule = "" } = context;
  if (rule.startsWith("COUPON_")) return priceChanged; // the codes say why
  switch (rule) {
    case "OUT_OF_STOCK":
      return soldOut(message);
    case "ITEM_UNAVAILABLE":
      return itemsUnavailable(namesIn(context.items));
    case "PRICE_CHANGED":
      return priceChanged;
    case "DELIVERY_REQUIRED":
      return missingOption;
    case "DELIVERY_UNAVAILABLE":
      return optionUnavailable;
    case "PAYMENT_METHOD_UNAVAILABLE":
      return paymentUnavailable("This payment method cannot be used for this order. Use another.");
    case "CUSTOMER_REQUIRED":
      return loginRequired(message);
    case "CART_EMPTY":
      return noLines;
    default:
      return orderRefused(message);
  }
}

const namesIn = (items: RefusalContext[string]): readonly string[] =>
  Array.isArray(items) ? items.filter((item) => typeof item === "string") : [];
