import type { CheckoutRequest } from "../../../../shared/checkout/index.ts";
import {
  type PaymentProvider,
  paystackProvider,
  stripeProvider,
} from "../../../../shared/payments/index.ts";
import { createPaystackAccount, failure } from "../../../payments/paystack-account.ts";
import { createStripeAccount, stripeKey } from "../../../payments/stripe/stand-in/account.ts";
import { createFaultyNetwork, type FaultyNetwork } from "./faulty-network.ts";

/** Money that a provider took and returned, by our reference of the charge. */
type CapturedCharge = Readonly<{ reference: string; amount: number; refunded: number }>;

/** A provider behind a network that fails, and what its account holds. */
export type ProviderCase = Readonly<{
  provider: PaymentProvider;
  network: FaultyNetwork;
  /** The shopper pays on every page that is open; returns the references that were paid. */
  payOpenPages: () => readonly string[];
  captured: () => readonly CapturedCharge[];
  /** The refunds that were made, one for each. */
  refunds: () => readonly number[];
}>;

type ProviderCaseInfo = Readonly<{
  name: string;
  currency: string;
  payment: Pick<CheckoutRequest, "paymentMethod" | "mobileMoney">;
  create: () => ProviderCase;
}>;

const silent = { report: () => {}, alert: () => {} };

function createStripeCase(): ProviderCase {
  const account = createStripeAccount();
  const network = createFaultyNetwork(async (request) => {
    const { pathname, search } = new URL(request.url);
    const body = new TextDecoder().decode(await request.arrayBuffer());
    const form = request.method === "GET" ? search.slice(1) : body;
    const { method, headers } = request;
    const reply = account.reply({ method, path: pathname, form, headers });
    return Response.json(reply.body, { status: reply.status });
  });
  const provider = stripeProvider({
    ...silent,
    secretKey: stripeKey,
    baseUrl: "https://stripe.test",
    fetch: network.fetch,
    now: Date.now,
  });
  return {
    provider,
    network,
    payOpenPages: () =>
      [...account.sessions.values()]
        .filter(({ status }) => status === "open")
        .map(({ id, client_reference_id: reference }) => {
          account.payPage(id);
          return String(reference);
        }),
    captured: () =>
      [...account.intents.values()]
        .filter(({ status }) => status === "succeeded")
        .map(({ metadata, amount, refunded }) => ({
          reference: String(metadata.payment_reference),
          amount,
          refunded,
        })),
    refunds: () => account.refunds.map(({ amount }) => amount),
  };
}

function createPaystackCase(): ProviderCase {
  const account = createPaystackAccount();
  const network = createFaultyNetwork(async (request) => {
    const text = await request.text();
    const body = text === "" ? {} : Object(JSON.parse(text));
    const isKnown = request.headers.get("authorization") === "Bearer sk_test_1";
    const { code, body: data } = isKnown
      ? account.reply(request.method, new URL(request.url), body)
      : failure("Invalid key", 401);
    return Response.json(data, { status: code });
  });
  const provider = paystackProvider({
    ...silent,
    secretKey: "sk_test_1",
    baseUrl: "https://paystack.test",
    emailDomain: "no-reply.example.com",
    fetch: network.fetch,
  });
  const charges = () => [...account.charges.values()];
  const ourReference = (reference: string) => reference.replace("ref-", "ref_");
  return {
    provider,
    network,
    payOpenPages: () =>
      charges()
        .filter(({ status }) => status === "abandoned")
        .map((charge) => {
          charge.status = "success";
          return ourReference(charge.reference);
        }),
    captured: () =>
      charges()
        .filter(({ status }) => status === "success")
        .map(({ reference, amount, refunds }) => ({
          reference: ourReference(reference),
          amount,
          refunded: refunds.reduce((sum, one) => sum + one.amount, 0),
        })),
    refunds: () => charges().flatMap(({ refunds }) => refunds.map(({ amount }) => amount)),
  };
}

const card = { paymentMethod: "card", mobileMoney: null } as const;

export const stripeCard: ProviderCaseInfo = {
  name: "a card through Stripe",
  currency: "USD",
  payment: card,
  create: createStripeCase,
};

export const paystackCard: ProviderCaseInfo = {
  name: "a card through Paystack",
  currency: "GHS",
  payment: card,
  create: createPaystackCase,
};

export const paystackPhone: ProviderCaseInfo = {
  name: "mobile money through Paystack",
  currency: "GHS",
  payment: {
    paymentMethod: "mobile_money",
    mobileMoney: { phoneNumber: "+233241234560", provider: "mtn" },
  },
  create: createPaystackCase,
};

export type { ProviderCaseInfo };
