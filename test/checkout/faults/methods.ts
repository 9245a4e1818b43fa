import type { Payment } from "./sale-world.ts";

const mobileMoneyOf = (lastDigit: number): Payment => ({
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: `024123456${lastDigit}`, provider: "mtn" },
});

/** A way to pay, and how it is sold. */
export type Method = Readonly<{
  name: string;
  payment: Payment;
  /** What stands unpaid since a checkout under another key, whose place it takes. */
  earlier?: Payment;
  /** Answers 503 this often before it is paid, without any fault. */
  refusals: number;
  /** What the order and its payment may be once the checkout is answered. */
  sold: readonly Readonly<{ status: string; payment_status: string }>[];
}>;

const pending = (paymentStatus: string) => ({ status: "pending", payment_status: paymentStatus });
const paid = { status: "confirmed", payment_status: "captured" };

export const cash: Method = {
  name: "cash",
  payment: { payment_method: "cash" },
  refusals: 0,
  sold: [pending("pending")],
};

export const mobileMoney: Method = {
  name: "mobile money",
  payment: mobileMoneyOf(0),
  refusals: 0,
  sold: [paid],
};

export const silentProvider: Method = {
  name: "a silent provider",
  payment: mobileMoneyOf(4),
  refusals: 1,
  sold: [paid],
};

export const card: Method = {
  name: "a card",
  payment: { payment_method: "card" },
  refusals: 0,
  sold: [pending("requires_action")],
};

/** The same in the place of an order that stands unpaid. */
export const inPlaceOfUnpaid = (method: Method): Method => ({
  ...method,
  name: `${method.name} in the place of an unpaid order`,
  earlier: mobileMoneyOf(3),
});

/** They take the same steps as mobile money, and differ in the provider's word alone. */
export const furtherAnswers: readonly Method[] = [
  { name: "a code", payment: mobileMoneyOf(1), refusals: 0, sold: [pending("requires_action")] },
  { name: "the phone", payment: mobileMoneyOf(2), refusals: 0, sold: [pending("processing")] },
];

const { MODEL_FAULTS: which }: Record<string, string | undefined> = import.meta.env;

/** Whether the table is to be had with the ways to pay that add no step of their own: MODEL_FAULTS=all. */
export const isWhole = which === "all";
