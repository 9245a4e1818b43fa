/** Stories that every run includes: random sequences contain them once in a hundred runs. */
import { exhaustedCouponStory } from "./low-supply-commands.ts";
import type { Step } from "./step.ts";
import { lockedPriceStory, reorderedChoiceStory } from "./stories.ts";

const lockedPrice = {
  who: 0,
  wanted: { good: 0, choice: 0, location: null, quantity: 1 },
  quantity: 1,
  isJust: true,
  price: 333n,
  isSeen: true,
  minutes: 0,
  isRefreshed: false,
  later: null,
  next: "more",
  isAnew: false,
} as const;

export const fixedStories: readonly (readonly [title: string, steps: readonly Step[]])[] = [
  [
    "adds the same options and selections in another order to the same line",
    [
      reorderedChoiceStory({ who: 0, good: 2, choice: 2, location: null }),
      reorderedChoiceStory({ who: 0, good: 7, choice: 1, location: null }),
    ],
  ],
  ["limits a quoted line to the quantity of its quote", [lockedPriceStory(lockedPrice)]],
  [
    "locks the price of a line again after a refresh of its quote",
    [
      lockedPriceStory({
        ...lockedPrice,
        minutes: 15,
        isRefreshed: true,
        later: 1_250n,
        next: "another",
      }),
    ],
  ],
  [
    "refuses a coupon for one order to the next order",
    [exhaustedCouponStory({ who: 0, good: 0, quantity: 1, deal: 1, times: 2, isSeen: true })],
  ],
];
