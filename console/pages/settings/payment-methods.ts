import { keyIn } from "../../ui/list-search.ts";

/** The ways to pay, by the name that the API has for them. */
export const methodNames = { cash: "Cash", mobile_money: "Mobile money", card: "Card" } as const;

export type PaymentMethod = keyof typeof methodNames;

export const methodOptions = Object.entries(methodNames).map(([value, name]) => ({ value, name }));

export const toMethods = (texts: readonly string[]): readonly PaymentMethod[] =>
  texts.flatMap((text) => keyIn(methodNames, text) ?? []);
