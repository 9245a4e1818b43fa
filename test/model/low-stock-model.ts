/**
 * A model of low-stock events: one when stock falls below the threshold, and another only after it
 * rose above it (docs/contract/events.md).
 */
import { lowStockThreshold } from "./activity-model.ts";
import type { Level, Shop } from "./shop-model.ts";

/** By item and location: whether stock is low, and how many events were sent. */
export type Warnings = Readonly<Record<string, Readonly<{ isLow: boolean; sentCount: number }>>>;

type StockOfShop = Pick<Shop, "stock">;

const availableAtLevel = ({ onHand, reserved }: Level): number => onHand - reserved;

export const keyOf = (item: string, locationId: string): string => `${item} at ${locationId}`;

const levelsOf = ({ stock }: StockOfShop) =>
  Object.entries(stock).flatMap(([item, levels]) =>
    Object.entries(levels).map(([locationId, level]) => ({
      key: keyOf(item, locationId),
      pieces: availableAtLevel(level),
    })),
  );

/** The state at the start of a sequence: stock that is low already causes no event. */
export const noWarnings = (shop: StockOfShop): Warnings =>
  Object.fromEntries(
    levelsOf(shop).map(({ key, pieces }) => [
      key,
      { isLow: pieces < lowStockThreshold, sentCount: 0 },
    ]),
  );

/** Adds the events of a change of stock. */
export const withStockWarnings = (before: Warnings, shop: StockOfShop): Warnings =>
  Object.fromEntries(
    levelsOf(shop).map(({ key, pieces }) => {
      const { isLow = false, sentCount = 0 } = before[key] ?? {};
      if (isLow) return [key, { isLow: pieces <= lowStockThreshold, sentCount }];
      return [
        key,
        pieces < lowStockThreshold
          ? { isLow: true, sentCount: sentCount + 1 }
          : { isLow, sentCount },
      ];
    }),
  );

/** The number of events of each level that had any. */
export const sentWarnings = (warnings: Warnings): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(warnings).flatMap(([key, { sentCount }]) =>
      sentCount > 0 ? [[key, sentCount]] : [],
    ),
  );
