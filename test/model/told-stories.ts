/** Stories that every run takes whole: what they tell apart, chance brings together once in a hundred sequences. */
import { usingUp } from "./scarcity-commands.ts";
import type { Step } from "./step.ts";
import { promising, turning } from "./story-commands.ts";

const promised = {
  who: 0,
  wanted: { good: 0, choice: 0, place: null, quantity: 1 },
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

export const toldStories: readonly (readonly [tells: string, steps: readonly Step[]])[] = [
  [
    "the same options and selections in another order raise the line",
    [
      turning({ who: 0, good: 2, choice: 2, place: null }),
      turning({ who: 0, good: 7, choice: 1, place: null }),
    ],
  ],
  ["a quoted line is changed to no more pieces than the quote is for", [promising(promised)]],
  [
    "a quote that was refreshed holds its line's price again",
    [promising({ ...promised, minutes: 15, isRefreshed: true, later: 1_250n, next: "another" })],
  ],
  [
    "a coupon for one order is refused to the next",
    [usingUp({ who: 0, good: 0, quantity: 1, deal: 1, times: 2, isSeen: true })],
  ],
];
