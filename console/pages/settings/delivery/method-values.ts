import type { BusinessSchemas } from "@duka/sdk/business";
import { createRowKey } from "../../../ui/row-key.ts";
import { toMethods } from "../payment-methods.ts";

export type DeliveryZone = BusinessSchemas["DeliveryZone"];
export type DeliveryMethod = BusinessSchemas["DeliveryMethod"];
type Price = DeliveryMethod["price"];

export const priceTypes = {
  flat: { name: "One price" },
  by_subtotal: { name: "By subtotal" },
  by_weight: { name: "By weight" },
} as const;

export type PriceType = keyof typeof priceTypes;

/** A step of a price: from a subtotal, or up to a weight. */
export type Tier = Readonly<{ key: string; bound: string; amount: string }>;

/** The values of a method's form. */
export type MethodValues = Readonly<{
  name: string;
  description: string;
  price_type: PriceType;
  amount: string;
  tiers: readonly Tier[];
  free_over: string;
  min_days: string;
  max_days: string;
  payment_methods: readonly string[];
  is_active: boolean;
}>;

const textOf = (value: number | string | null): string => (value === null ? "" : String(value));
const numberOf = (text: string): number | null => (text.trim() === "" ? null : Number(text));

export const emptyTier = (): Tier => ({ key: createRowKey(), bound: "", amount: "" });

export const toMethodValues = (method: DeliveryMethod | undefined): MethodValues => ({
  name: method?.name ?? "",
  description: method?.description ?? "",
  price_type: method?.price.type ?? "flat",
  amount: method?.price.type === "flat" ? method.price.amount : "",
  tiers: method ? tiersOf(method.price) : [emptyTier()],
  free_over: textOf(method?.free_over ?? null),
  min_days: textOf(method?.min_days ?? null),
  max_days: textOf(method?.max_days ?? null),
  payment_methods: method?.payment_methods ?? [],
  is_active: method?.is_active ?? true,
});

function tiersOf(price: Price): readonly Tier[] {
  switch (price.type) {
    case "flat":
      return [emptyTier()];
    case "by_subtotal":
      return price.tiers.map(({ min_subtotal: bound, amount }) => ({
        key: createRowKey(),
        bound,
        amount,
      }));
    case "by_weight":
      return price.tiers.map(({ max_grams: bound, amount }) => ({
        key: createRowKey(),
        bound: String(bound),
        amount,
      }));
  }
}

export const toMethodFields = (values: MethodValues) => ({
  name: values.name,
  description: values.description,
  price: toPrice(values),
  free_over: values.free_over.trim() || null,
  min_days: numberOf(values.min_days),
  max_days: numberOf(values.max_days),
  payment_methods: values.payment_methods.length > 0 ? toMethods(values.payment_methods) : null,
  is_active: values.is_active,
});

function toPrice({ price_type: type, amount, tiers }: MethodValues): Price {
  switch (type) {
    case "flat":
      return { type, amount };
    case "by_subtotal":
      return {
        type,
        tiers: tiers.map((tier) => ({ min_subtotal: tier.bound, amount: tier.amount })),
      };
    case "by_weight":
      return {
        type,
        tiers: tiers.map((tier) => ({ max_grams: Number(tier.bound), amount: tier.amount })),
      };
  }
}
