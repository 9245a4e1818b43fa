/** Who is told of few pieces, and when (completions.md 9): once as they fall below, and again only after they rose above. */
import { fewPieces } from "./activity.ts";
import type { Level, Shop } from "./shop-model.ts";

/** By item and location: whether it fell below, and how often that was told. */
export type Warnings = Readonly<Record<string, Readonly<{ isLow: boolean; told: number }>>>;

type Stocked = Pick<Shop, "stock">;

const free = ({ onHand, reserved }: Level): number => onHand - reserved;

export const keyOf = (item: string, locationId: string): string => `${item} at ${locationId}`;

const levelsOf = ({ stock }: Stocked) =>
  Object.entries(stock).flatMap(([item, levels]) =>
    Object.entries(levels).map(([locationId, level]) => ({
      key: keyOf(item, locationId),
      pieces: free(level),
    })),
  );

/** As a sequence begins: of what is low already nobody is told. */
export const noWarnings = (shop: Stocked): Warnings =>
  Object.fromEntries(
    levelsOf(shop).map(({ key, pieces }) => [key, { isLow: pieces < fewPieces, told: 0 }]),
  );

/** What follows when the pieces are so many from now on. */
export const warnedOf = (before: Warnings, shop: Stocked): Warnings =>
  Object.fromEntries(
    levelsOf(shop).map(({ key, pieces }) => {
      const { isLow = false, told = 0 } = before[key] ?? {};
      if (isLow) return [key, { isLow: pieces <= fewPieces, told }];
      return [key, pieces < fewPieces ? { isLow: true, told: told + 1 } : { isLow, told }];
    }),
  );

/** How often each was told, of those that were. */
export const toldOf = (warnings: Warnings): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(warnings).flatMap(([key, { told }]) => (told > 0 ? [[key, told]] : [])),
  );
