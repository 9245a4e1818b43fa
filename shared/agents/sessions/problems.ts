import type { CartLine } from "../../cart/index.ts";
import type { AgentProblem } from "../agent-session.ts";

type ProblemFields = Pick<AgentProblem, "code" | "subject" | "message">;

/** What the agent can correct by itself, and has to before the checkout can be completed. */
const blocking = (fields: ProblemFields): AgentProblem => ({
  ...fields,
  type: "error",
  severity: "recoverable",
  isBlocking: true,
});

/** What the agent should know, and what does not stop the checkout. */
const passing = (type: AgentProblem["type"], fields: ProblemFields): AgentProblem => ({
  ...fields,
  type,
  severity: "recoverable",
  isBlocking: false,
});

const ownId = /^(?:var|prod)_[0-9a-z]{1,40}$/;

/** The item is not in the record, so that the problem is about the list of lines. */
export const itemUnavailable = (itemId: string): AgentProblem =>
  passing("error", {
    code: "item_unavailable",
    subject: { part: "line_items" },
    message: `${ownId.test(itemId) ? itemId : "An item"} cannot be bought here and was left out. It does not exist, is not offered now, or needs choices on the product's page.`,
  });

export const itemsUnavailable = (names: readonly string[]): AgentProblem =>
  passing("error", {
    code: "item_unavailable",
    subject: { part: "line_items" },
    message: `No longer available, and removed: ${names.join(", ")}.`,
  });

export const outOfStock = (line: CartLine, quantityAvailable: number): AgentProblem => ({
  ...blocking({
    code: "out_of_stock",
    subject: { part: "line", lineId: line.id, field: "quantity" },
    message:
      quantityAvailable === 0
        ? `${line.snapshot.name} is out of stock.`
        : `Only ${quantityAvailable} of ${line.snapshot.name} are available.`,
  }),
  quantityAvailable,
});

export const soldOut = (message: string): AgentProblem =>
  blocking({ code: "out_of_stock", subject: { part: "line_items" }, message });

export const quantityAdjusted = (lineId: string, maximum: number): AgentProblem =>
  passing("warning", {
    code: "quantity_adjusted",
    subject: { part: "line", lineId, field: "quantity" },
    message: `An order has at most ${maximum} units of an item, so the quantity was changed to ${maximum}.`,
  });

export const noLines: AgentProblem = blocking({
  code: "item_unavailable",
  subject: { part: "line_items" },
  message: "The checkout has no items. Add at least one.",
});

export const missingContact: AgentProblem = blocking({
  code: "missing_contact",
  subject: { part: "buyer" },
  message: "The buyer needs an e-mail address or a phone number.",
});

export const invalidContact: AgentProblem = blocking({
  code: "missing_contact",
  subject: { part: "buyer" },
  message: "The buyer's e-mail address or phone number is not valid.",
});

export const missingDestination: AgentProblem = blocking({
  code: "missing_fulfilment",
  subject: { part: "fulfilment" },
  message: "The items are delivered or collected. Send a destination, or choose a pickup location.",
});

export const missingOption: AgentProblem = blocking({
  code: "missing_fulfilment",
  subject: { part: "fulfilment" },
  message: "Choose one of the fulfillment options.",
});

export const optionUnavailable: AgentProblem = blocking({
  code: "fulfilment_unavailable",
  subject: { part: "fulfilment" },
  message: "The chosen fulfillment option is not offered for these items and this destination.",
});

export const undeliverable = (destinationId: string): AgentProblem =>
  blocking({
    code: "address_undeliverable",
    subject: { part: "destination", destinationId },
    message: "The business does not deliver these items to this address.",
  });

export const invalidAddress = (destinationId: string): AgentProblem =>
  blocking({
    code: "address_invalid",
    subject: { part: "destination", destinationId },
    message: "address_country must be a two-letter ISO 3166 code.",
  });

export const paymentFailed = (message: string): AgentProblem =>
  passing("error", { code: "payment_failed", subject: { part: "payment" }, message });

export const paymentUnavailable = (message: string): AgentProblem =>
  passing("error", { code: "payment_unavailable", subject: { part: "payment" }, message });

export const priceChanged: AgentProblem = passing("error", {
  code: "price_changed",
  subject: { part: "checkout" },
  message: "The total has changed and nothing was charged. Show the new total and complete again.",
});

export const orderRefused = (message: string): AgentProblem =>
  blocking({ code: "order_refused", subject: { part: "checkout" }, message });

export const loginRequired = (message: string): AgentProblem => ({
  ...blocking({ code: "login_required", subject: { part: "checkout" }, message }),
  severity: "requires_buyer_input",
});

/** The payment has started and the buyer has to act on a page or on a phone. */
export const buyerAction = (message: string): AgentProblem => ({
  ...blocking({ code: "buyer_action", subject: { part: "payment" }, message }),
  severity: "requires_buyer_input",
});
