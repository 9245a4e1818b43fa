import type Stripe from "stripe";
import { hour, minute, second } from "../../../../shared/kernel/index.ts";
import { amountError } from "./currencies.ts";
import { type Form, metadataIn } from "./parameters.ts";
import {
  type CardBehavior,
  type CheckoutSession,
  cards,
  type Intent,
  missing,
  refuse,
  type StripeDispute,
  type StripeRefund,
  type StripeReply,
} from "./records.ts";

/** The objects of a Stripe account in memory. Its search finds a payment a minute late. */
export function createStripeLedger({
  now,
  searchDelayMs,
}: Readonly<{ now: () => number; searchDelayMs: number }>) {
  const sessions = new Map<string, CheckoutSession>();
  const intents = new Map<string, Intent>();
  const refunds: StripeRefund[] = [];
  const disputes = new Map<string, StripeDispute>();
  const savedCards = new Map<string, CardBehavior>();
  const options = { refundStatus: "succeeded", cardPaymentsActive: true, refusesCards: false };
  let ids = 0;
  const newId = (prefix: string) => {
    ids += 1;
    return `${prefix}_${ids.toString(36).padStart(6, "0")}${"x".repeat(8)}`;
  };
  const seconds = () => Math.floor(now() / second);
  const behaviorOf = (method: string): CardBehavior | undefined =>
    savedCards.get(method) ?? cards.get(method);

  const intentView = (
    { refunded, disputed, ...intent }: Intent,
    expansions: readonly string[],
  ) => ({
    ...intent,
    latest_charge: expansions.includes("latest_charge")
      ? { id: intent.latest_charge, amount_refunded: refunded, disputed }
      : intent.latest_charge,
  });

  function sessionView(
    { form: _, intentId, ...session }: CheckoutSession,
    expansions: readonly string[],
  ) {
    const intent = intentId === null ? undefined : intents.get(intentId);
    return {
      ...session,
      payment_intent:
        intent && expansions.includes("payment_intent") ? intentView(intent, []) : intentId,
    };
  }

  function saveIntent(fields: Pick<Intent, "amount" | "currency" | "metadata"> & Partial<Intent>) {
    const intent: Intent = {
      id: newId("pi"),
      object: "payment_intent",
      status: "requires_payment_method",
      amount_received: 0,
      created: seconds(),
      customer: null,
      payment_method: null,
      latest_charge: null,
      last_payment_error: null,
      next_action: null,
      refunded: 0,
      disputed: false,
      ...fields,
    };
    intents.set(intent.id, intent);
    return intent;
  }

  function change(id: string, fields: Partial<Intent>): Intent {
    const before = intents.get(id);
    if (!before) throw new Error(`There is no intent ${id}.`);
    const intent = { ...before, ...fields };
    intents.set(id, intent);
    return intent;
  }

  const succeed = ({ id, amount }: Intent): Intent =>
    change(id, {
      status: "succeeded",
      amount_received: amount,
      latest_charge: newId("ch"),
      last_payment_error: null,
      next_action: null,
    });

  const fail = ({ id }: Intent, code: Stripe.PaymentIntent.LastPaymentError["code"]): Intent =>
    change(id, {
      status: "requires_payment_method",
      last_payment_error: { type: "card_error", ...(code && { code }) },
    });

  function expireDue(): void {
    for (const session of sessions.values()) {
      if (session.status === "open" && session.expires_at <= seconds()) closeSession(session);
    }
  }

  function closeSession(session: CheckoutSession): CheckoutSession {
    const closed: CheckoutSession = { ...session, status: "expired", url: null };
    sessions.set(session.id, closed);
    if (session.intentId !== null) change(session.intentId, { status: "canceled" });
    return closed;
  }

  function createSession(form: Form): StripeReply {
    const at = "line_items[0]";
    const currency = form[`${at}[price_data][currency]`] ?? "";
    const amount = Number(form[`${at}[price_data][unit_amount]`]);
    const quantity = Number(form[`${at}[quantity]`]);
    const expiresAt = Number(form.expires_at ?? seconds() + (24 * hour) / second);
    const problem = amountError(amount, currency, {
      currency: `${at}[price_data][currency]`,
      amount: `${at}[price_data][unit_amount]`,
    });
    if (problem) return refuse(400, problem);
    if (options.refusesCards) {
      return refuse(400, {
        message: "No valid payment method types for this Checkout Session.",
      });
    }
    const lasts = expiresAt - seconds();
    if (lasts < (30 * minute) / second || lasts > (24 * hour) / second) {
      const message =
        "The `expires_at` timestamp must be between 30 minutes and 24 hours from creation.";
      return refuse(400, { param: "expires_at", message });
    }
    const id = newId("cs_test");
    const session: CheckoutSession = {
      id,
      object: "checkout.session",
      status: "open",
      payment_status: "unpaid",
      url: `https://checkout.stripe.com/c/pay/${id}`,
      client_reference_id: form.client_reference_id ?? null,
      expires_at: expiresAt,
      amount_total: amount * quantity,
      currency,
      created: seconds(),
      metadata: metadataIn(form),
      form,
      intentId: null,
    };
    sessions.set(id, session);
    return { status: 200, body: sessionView(session, []) };
  }

  function createIntent(form: Form): StripeReply {
    const { currency = "", customer = null } = form;
    const amount = Number(form.amount);
    const problem = amountError(amount, currency, { currency: "currency", amount: "amount" });
    if (problem) return refuse(400, problem);
    const method = form.payment_method ?? form.confirmation_token ?? "";
    const behavior = behaviorOf(method);
    if (behavior === undefined) {
      return refuse(400, {
        code: "resource_missing",
        param: "payment_method",
        message: `No such PaymentMethod: '${method}'`,
      });
    }
    const isWithoutRedirects = form["automatic_payment_methods[allow_redirects]"] === "never";
    if (form.return_url === undefined && !isWithoutRedirects) {
      return refuse(400, { param: "return_url", message: "A `return_url` must be provided." });
    }
    const intent = saveIntent({
      amount,
      currency,
      metadata: metadataIn(form),
      customer,
      payment_method: method,
    });
    if (behavior === "pays") {
      if (form.setup_future_usage === "off_session") savedCards.set(method, "pays");
      return { status: 200, body: intentView(succeed(intent), []) };
    }
    if (behavior === "asks" && form.off_session !== "true") {
      const url = `https://hooks.stripe.com/redirect/${intent.id}`;
      const next_action = { type: "redirect_to_url", redirect_to_url: { url, return_url: null } };
      return { status: 200, body: change(intent.id, { status: "requires_action", next_action }) };
    }
    const code = behavior === "asks" ? "authentication_required" : "card_declined";
    const failed = fail(intent, code);
    return {
      status: 402,
      body: {
        error: {
          type: "card_error",
          code,
          message: "Your card was declined.",
          payment_intent: intentView(failed, []),
        },
      },
    };
  }

  function createRefund(form: Form): StripeReply {
    const intent = intents.get(form.payment_intent ?? "");
    if (!intent) return missing(form.payment_intent ?? "");
    const amount = Number(form.amount ?? intent.amount_received - intent.refunded);
    if (intent.status !== "succeeded" || amount <= 0) {
      return refuse(400, { code: "charge_not_refundable", message: "It cannot be refunded." });
    }
    if (intent.refunded === intent.amount_received) {
      return refuse(400, { code: "charge_already_refunded", message: "It has been refunded." });
    }
    if (intent.refunded + amount > intent.amount_received) {
      return refuse(400, { param: "amount", message: "Refund amount is greater than the charge." });
    }
    change(intent.id, { refunded: intent.refunded + amount });
    const refund: StripeRefund = {
      id: newId("re"),
      object: "refund",
      amount,
      currency: intent.currency,
      status: options.refundStatus,
      created: seconds(),
      metadata: metadataIn(form),
      payment_intent: intent.id,
    };
    refunds.push(refund);
    return { status: 200, body: refund };
  }

  function searchIntents(form: Form): StripeReply {
    const { query = "" } = form;
    const [, key = "", value] = /^metadata\['(\w+)'\]:'([^']*)'$/.exec(query) ?? [];
    const isFound = ({ metadata, created }: Intent) =>
      metadata[key] === value && created * second + searchDelayMs <= now();
    const expansions = form["expand[0]"] === "data.latest_charge" ? ["latest_charge"] : [];
    const data = [...intents.values()].filter(isFound).map((one) => intentView(one, expansions));
    return { status: 200, body: { object: "search_result", data, has_more: false } };
  }

  return {
    sessions,
    intents,
    refunds,
    disputes,
    options,
    intentView,
    sessionView,
    createSession,
    createIntent,
    createRefund,
    searchIntents,
    closeSession,
    cancelIntent: (id: string) => change(id, { status: "canceled" }),
    expireDue,

    createMethod(token: string) {
      const behavior = cards.get(token);
      if (!behavior) return refuse(400, { param: "card[token]", message: "No such token" });
      const id = newId("pm");
      savedCards.set(id, behavior);
      return { status: 200, body: { id, object: "payment_method" } };
    },

    createCustomer: () => ({ status: 200, body: { id: newId("cus"), object: "customer" } }),

    isOfSession: (id: string): boolean =>
      [...sessions.values()].some(({ intentId }) => intentId === id),

    /** The customer pays on the page of a session; returns the payment intent. */
    payPage(id: string, card: CardBehavior = "pays"): Intent {
      expireDue();
      const session = sessions.get(id);
      if (session?.status !== "open") throw new Error(`The page ${id} is not open.`);
      const { form, intentId, amount_total: amount, currency } = session;
      const isSaved = form["payment_intent_data[setup_future_usage]"] === "off_session";
      const method = newId("pm");
      if (isSaved) savedCards.set(method, card === "asks" ? "asks" : "pays");
      const metadata = metadataIn(form, "payment_intent_data");
      const intent =
        (intentId === null ? undefined : intents.get(intentId)) ??
        saveIntent({ amount: amount ?? 0, currency: currency ?? "", metadata });
      const customer = form.customer_creation === "always" ? newId("cus") : null;
      change(intent.id, { payment_method: method, customer });
      sessions.set(id, { ...session, intentId: intent.id });
      if (card === "declined") return fail(intent, "card_declined");
      sessions.set(id, {
        ...session,
        intentId: intent.id,
        status: "complete",
        payment_status: "paid",
        url: null,
      });
      return succeed(intent);
    },

    /** The customer confirms a payment on the page of the bank. */
    confirm: (id: string): Intent => succeed(change(id, {})),

    /** The payer's bank contests a payment, or changes its decision. */
    dispute(intentId: string, fields: Partial<StripeDispute> = {}): StripeDispute {
      const { amount, currency } = change(intentId, { disputed: true });
      const earlier = [...disputes.values()].find((one) => one.payment_intent === intentId);
      const dispute: StripeDispute = {
        ...(earlier ?? {
          id: newId("dp"),
          object: "dispute",
          amount,
          currency,
          reason: "fraudulent",
          status: "needs_response",
          created: seconds(),
          payment_intent: intentId,
          evidence_details: { due_by: seconds() + 604_800 },
        }),
        ...fields,
      };
      disputes.set(dispute.id, dispute);
      return dispute;
    },
  };
}

export type StripeLedger = ReturnType<typeof createStripeLedger>;
