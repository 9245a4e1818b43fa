import type { PaymentFields } from "./create-sale.ts";

const mobileMoneyOf = (lastDigit: number): PaymentFields => ({
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: `024123456${lastDigit}`, provider: "mtn" },
});

/** A way to pay, and its expected outcome. */
export type PaymentCase = Readonly<{
  name: string;
  payment: PaymentFields;
  /** How many coupons the cart has; without it none. */
  coupons?: number;
  /** Whether it is delivered for a price, with two tax rates on everything. */
  isDelivered?: boolean;
  /** The payment of an earlier, unpaid checkout with another key, which this one replaces. */
  earlier?: PaymentFields;
  /** How often it responds 503 before it is paid, without any fault. */
  refusals: number;
  /** The possible states of the order and its payment after the checkout. */
  soldStates: readonly Readonly<{ status: string; payment_status: string }>[];
}>;

const pending = (paymentStatus: string) => ({ status: "pending", payment_status: paymentStatus });
const paid = { status: "confirmed", payment_status: "captured" };

export const cash: PaymentCase = {
  name: "cash",
  payment: { payment_method: "cash" },
  refusals: 0,
  soldStates: [pending("pending")],
};

export const mobileMoney: PaymentCase = {
  name: "mobile money",
  payment: mobileMoneyOf(0),
  refusals: 0,
  soldStates: [paid],
};

export const silentProvider: PaymentCase = {
  name: "a silent provider",
  payment: mobileMoneyOf(4),
  refusals: 1,
  soldStates: [paid],
};

export const card: PaymentCase = {
  name: "a card",
  payment: { payment_method: "card" },
  refusals: 0,
  soldStates: [pending("requires_action")],
};

/** The same, replacing an unpaid order. */
export const replacingUnpaid = (method: PaymentCase): PaymentCase => ({
  ...method,
  name: `${method.name} replacing an unpaid order`,
  earlier: mobileMoneyOf(3),
});

/** The same for a cart with several coupons. */
export const withCoupons = (method: PaymentCase, coupons: number): PaymentCase => ({
  ...method,
  name: `${method.name} with ${coupons} coupons`,
  coupons,
});

/** The same for a cart with a delivery and its taxes. */
export const withDelivery = (method: PaymentCase): PaymentCase => ({
  ...method,
  name: `${method.name}, delivered`,
  isDelivered: true,
});

/** They take the same steps as mobile money and differ only in the provider's response. */
export const otherProviderResponses: readonly PaymentCase[] = [
  {
    name: "a code",
    payment: mobileMoneyOf(1),
    refusals: 0,
    soldStates: [pending("requires_action")],
  },
  {
    name: "the phone",
    payment: mobileMoneyOf(2),
    refusals: 0,
    soldStates: [pending("processing")],
  },
];

const { MODEL_FAULTS: which }: Record<string, string | undefined> = import.meta.env;

/** Whether to test also the cases that add no step of their own (MODEL_FAULTS=all). */
export const isFullTable = which === "all";
