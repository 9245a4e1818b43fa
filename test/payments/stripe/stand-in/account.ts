import type Stripe from "stripe";
import { hour, minute } from "../../../../shared/kernel/index.ts";
import { supportedCurrencies } from "./currencies.ts";
import { createStripeLedger, type StripeLedger } from "./ledger.ts";
import {
  type Endpoint,
  type Form,
  findParameterError,
  isEndpoint,
  parseForm,
} from "./parameters.ts";
import {
  creates,
  missing,
  refuse,
  type StoredReply,
  type StripeReply,
  type StripeRequest,
} from "./records.ts";

export const apiVersion: Stripe.LatestApiVersion = "2026-10-28.endive";
export const stripeKey = "sk_test_0123456789abcdef";

/** A page of a list, newest first. */
function listPage<T extends { id: string; created: number }>(
  rows: Iterable<T>,
  form: Form,
  view: (row: T) => object = (row) => row,
): StripeReply {
  const { limit = "10", starting_after: after } = form;
  const from = Number(form["created[gte]"] ?? 0);
  const to = Number(form["created[lte]"] ?? Number.MAX_SAFE_INTEGER);
  const listed = [...rows].reverse().filter(({ created }) => created >= from && created <= to);
  const start = after === undefined ? 0 : listed.findIndex(({ id }) => id === after) + 1;
  const data = listed.slice(start, start + Number(limit)).map(view);
  const has_more = listed.length > start + data.length;
  return { status: 200, body: { object: "list", data, has_more } };
}

const expansionsIn = (form: Form): string[] =>
  Object.entries(form)
    .filter(([key]) => key.startsWith("expand["))
    .map(([, value]) => value.replace(/^data\./, ""));

/** What an endpoint does with parameters that were checked. */
function answer(
  ledger: StripeLedger,
  endpoint: Endpoint,
  { id, form }: Readonly<{ id: string; form: Form }>,
): StripeReply {
  const { sessions, intents, refunds, disputes, options, sessionView, intentView } = ledger;
  const expansions = expansionsIn(form);
  const session = sessions.get(id);
  const intent = intents.get(id);
  switch (endpoint) {
    case "POST /v1/checkout/sessions":
      return ledger.createSession(form);
    case "GET /v1/checkout/sessions":
      return listPage(
        [...sessions.values()].filter(({ intentId }) => intentId === form.payment_intent),
        form,
        (one) => sessionView(one, []),
      );
    case "GET /v1/checkout/sessions/{}":
      return session ? { status: 200, body: sessionView(session, expansions) } : missing(id);
    case "POST /v1/checkout/sessions/{}/expire":
      if (!session) return missing(id);
      return session.status === "open"
        ? { status: 200, body: sessionView(ledger.closeSession(session), expansions) }
        : refuse(400, { message: "Only open sessions can be expired." });
    case "POST /v1/payment_intents":
      return ledger.createIntent(form);
    case "GET /v1/payment_intents":
      return listPage(intents.values(), form, (one) => intentView(one, expansions));
    case "GET /v1/payment_intents/search":
      return ledger.searchIntents(form);
    case "GET /v1/payment_intents/{}":
      return intent ? { status: 200, body: intentView(intent, expansions) } : missing(id);
    case "POST /v1/payment_intents/{}/cancel":
      if (!intent) return missing(id);
      return /^requires_/.test(intent.status) && !ledger.isOfSession(id)
        ? { status: 200, body: intentView(ledger.cancelIntent(id), []) }
        : refuse(400, { code: "payment_intent_unexpected_state", message: "Not cancelable." });
    case "POST /v1/refunds":
      return ledger.createRefund(form);
    case "GET /v1/refunds":
      return listPage(
        refunds.filter(
          (one) => form.payment_intent === undefined || one.payment_intent === form.payment_intent,
        ),
        form,
      );
    case "POST /v1/customers":
      return ledger.createCustomer();
    case "POST /v1/payment_methods":
      return ledger.createMethod(form["card[token]"] ?? "");
    case "GET /v1/disputes/{}": {
      const dispute = disputes.get(id);
      const disputed = intents.get(String(dispute?.payment_intent));
      if (!dispute || !disputed) return missing(id);
      const expanded = expansions.includes("payment_intent");
      return {
        status: 200,
        body: { ...dispute, ...(expanded && { payment_intent: intentView(disputed, []) }) },
      };
    }
    case "GET /v1/account":
      return {
        status: 200,
        body: {
          id: "acct_1",
          object: "account",
          country: "US",
          charges_enabled: true,
          capabilities: { card_payments: options.cardPaymentsActive ? "active" : "inactive" },
        },
      };
    case "GET /v1/country_specs/{}":
      return { status: 200, body: { id, supported_payment_currencies: supportedCurrencies } };
  }
}

/**
 * A Stripe account in memory, which refuses what Stripe's documentation refuses. It forgets an
 * idempotency key after a day.
 */
export function createStripeAccount({
  now = Date.now,
  secretKey = stripeKey,
  searchDelayMs = minute,
}: Readonly<{ now?: () => number; secretKey?: string; searchDelayMs?: number }> = {}) {
  const ledger = createStripeLedger({ now, searchDelayMs });
  const replies = new Map<string, StoredReply>();
  const calls: string[] = [];

  /** Answers a call as Stripe does. */
  function reply({ method, path, form: text, headers }: StripeRequest): StripeReply {
    ledger.expireDue();
    const [, id = ""] = /^\/v1\/[a-z_/]+?\/((?:cs_test|pi|dp|acct|[A-Z]{2})_?\w*)/.exec(path) ?? [];
    const name = `${method} ${id === "" ? path : path.replace(id, "{}")}`;
    calls.push(name);
    if (headers.get("authorization") !== `Bearer ${secretKey}`) {
      return refuse(401, { message: "Invalid API Key provided." });
    }
    if (!isEndpoint(name)) return refuse(404, { message: `Unrecognized request URL (${name}).` });
    if (headers.get("stripe-version") !== apiVersion) {
      return refuse(400, { message: "Invalid Stripe API version." });
    }
    const isForm = headers.get("content-type") === "application/x-www-form-urlencoded";
    if (method === "POST" && text !== "" && !isForm) {
      return refuse(400, { message: "Send a form." });
    }
    const form = parseForm(text);
    const key = headers.get("idempotency-key");
    if (creates(name) && key === null) return refuse(400, { message: "Send an Idempotency-Key." });
    const fingerprint = `${name} ${[...new URLSearchParams(text).entries()].sort().join("&")}`;
    const stored = key === null ? undefined : replies.get(key);
    if (stored && stored.at + 24 * hour > now()) {
      if (stored.fingerprint === fingerprint) return stored.reply;
      return refuse(400, {
        type: "idempotency_error",
        message: "Keys for idempotent requests can only be used with the same parameters.",
      });
    }
    const problem = findParameterError(name, form);
    if (problem) return refuse(400, problem);
    const result = answer(ledger, name, { id, form });
    // A result of parameters that were refused is not stored.
    const isStored = result.status === 200 || result.status === 402;
    if (key !== null && isStored) replies.set(key, { fingerprint, reply: result, at: now() });
    return result;
  }

  return { ...ledger, calls, reply };
}

export type StripeAccount = ReturnType<typeof createStripeAccount>;
