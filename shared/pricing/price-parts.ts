import { requireChargeable } from "../kernel/index.ts";

/** One component of a price. The merchant reads the name. */
export type PricePart = Readonly<{ name: string; amountMinor: number }>;

/** The sum of the parts. @throws Refusal VALIDATION_ERROR when it is too large to charge. */
export const sumParts = (parts: readonly PricePart[]): number =>
  parts.reduce((sum, { amountMinor }) => requireChargeable(sum + amountMinor, "quantity"), 0);

/**
 * Keeps a price from being negative, because wrong price adjustments can exceed a price. An extra
 * part raises the sum to zero.
 */
export function withMinimumZero(parts: readonly PricePart[]): readonly PricePart[] {
  const sum = sumParts(parts);
  return sum < 0 ? [...parts, { name: "minimum price", amountMinor: -sum }] : parts;
}
