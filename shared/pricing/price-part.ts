import { chargeable } from "../kernel/index.ts";

/** One reason of a price, in words for the merchant. */
export type PricePart = Readonly<{ name: string; amountMinor: number }>;

/** The sum of the parts; refuses (VALIDATION_ERROR) what grows beyond any amount that can be charged. */
export const sumOf = (parts: readonly PricePart[]): number =>
  parts.reduce((sum, { amountMinor }) => chargeable(sum + amountMinor, "quantity"), 0);

/** Adjustments may outweigh a price by a merchant's mistake; the part then says so instead of hiding it. */
export function atLeastZero(parts: readonly PricePart[]): readonly PricePart[] {
  const sum = sumOf(parts);
  return sum < 0 ? [...parts, { name: "minimum price", amountMinor: -sum }] : parts;
}
