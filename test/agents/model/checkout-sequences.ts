import fc from "fast-check";
import { shopTerms, type WantedRecord } from "./checkout-model.ts";
import {
  type AgentStep,
  cancel,
  changePrice,
  changeStock,
  complete,
  completeTwice,
  create,
  read,
  repeatCompletion,
  replace,
  wait,
} from "./checkout-steps.ts";

const buyer = fc.constantFrom(0, 0, 1);

const wanted: fc.Arbitrary<WantedRecord> = fc.record({
  tea: fc.constantFrom(0, 1, 1, 2, 2, 3, 5),
  book: fc.constantFrom(0, 1, 3),
  hasBuyer: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
  delivery: fc.oneof(
    { weight: 8, arbitrary: fc.constant("courier" as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom("address" as const, "abroad" as const, "none" as const),
    },
  ),
  codes: fc.constantFrom([], ["TEN"], ["BIG"], ["BIG"], ["BIG", "TEN"], ["NONE", "TEN"]),
});

const anyStep: fc.Arbitrary<AgentStep> = fc.oneof(
  { weight: 2, arbitrary: fc.tuple(buyer, wanted).map(([who, record]) => create(who, record)) },
  { weight: 5, arbitrary: fc.tuple(buyer, wanted).map(([who, record]) => replace(who, record)) },
  { weight: 1, arbitrary: buyer.map(read) },
  { weight: 1, arbitrary: buyer.map(cancel) },
  { weight: 4, arbitrary: buyer.map((who) => complete(who, true)) },
  { weight: 4, arbitrary: buyer.map((who) => complete(who, false)) },
  { weight: 2, arbitrary: buyer.map(repeatCompletion) },
  { weight: 1, arbitrary: buyer.map(completeTwice) },
  { weight: 4, arbitrary: fc.constantFrom(...shopTerms.teaPrices).map(changePrice) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 2, 4, 8).map(changeStock) },
  { weight: 1, arbitrary: fc.constantFrom(3, 6).map(wait) },
);

/** Sequences of calls for two buyers, and of changes of the shop. */
export const agentSequences: fc.Arbitrary<readonly AgentStep[]> = fc
  .tuple(wanted, fc.array(anyStep, { minLength: 3, maxLength: 20, size: "max" }))
  .map(([first, steps]) => [create(0, first), ...steps]);

const ready = (tea: number, fields: Partial<WantedRecord> = {}): WantedRecord => ({
  ...{ tea, book: 0, hasBuyer: true, delivery: "courier", codes: [] },
  ...fields,
});

/** What random sequences seldom reach; a shop begins with six teas. */
export const agentStories: readonly (readonly [string, readonly AgentStep[]])[] = [
  [
    "charges the new total only once it was shown",
    [create(0, ready(2)), changePrice(1_200), complete(0, true), complete(0, true)],
  ],
  [
    "shows the total without a code whose minimum is no longer reached",
    [
      changePrice(1_200),
      create(0, ready(2, { book: 3, codes: ["BIG"] })),
      changePrice(1_000),
      ...[complete(0, true), repeatCompletion(0), complete(0, true), repeatCompletion(0)],
    ],
  ],
  [
    "replaces a declined order, whose stock counts for its own checkout",
    [create(0, ready(5)), complete(0, false), replace(0, ready(6)), complete(0, true)],
  ],
  [
    "charges a declined order again at its own price",
    [create(0, ready(3)), complete(0, false), changePrice(1_200), complete(0, true)],
  ],
  [
    "keeps a declined order while the stock does not suffice for its replacement",
    [
      ...[create(0, ready(2)), complete(0, false), create(1, ready(3))],
      ...[replace(0, ready(3)), complete(1, true), changeStock(0), complete(0, true)],
      ...[replace(0, ready(2)), complete(0, true)],
    ],
  ],
  [
    "sells the last units once",
    [
      ...[create(0, ready(4)), create(1, ready(4)), complete(0, true), complete(1, true)],
      ...[replace(1, ready(2)), completeTwice(1), replace(1, ready(1)), cancel(1)],
    ],
  ],
  [
    "releases the stock of a canceled checkout",
    [
      ...[create(0, ready(6)), complete(0, false), cancel(0), complete(0, true)],
      ...[create(1, ready(6)), complete(1, true)],
    ],
  ],
  [
    "places nothing after the expiry",
    [create(0, ready(1)), wait(3), replace(0, ready(2)), wait(6), complete(0, true), cancel(0)],
  ],
];
