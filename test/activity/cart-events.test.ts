import { expect, it } from "vitest";
import { cartEvents } from "../../shared/activity/index.ts";
import { cartLine, cartOf } from "./given.ts";

const line = (id: string, quantity: number) => cartLine(id, { quantity });

const added = (id: string, quantity: number) => ({
  type: "cart_add",
  productId: `prod_${id}`,
  quantity,
});
const removed = (id: string, quantity: number) => ({ ...added(id, quantity), type: "cart_remove" });

const [a, b] = [line("a", 2), line("b", 3)];

it.each([
  { what: "a new line", before: [a], after: [a, b], events: [added("b", 3)] },
  { what: "more of a line", before: [a, b], after: [line("a", 5), b], events: [added("a", 3)] },
  { what: "fewer of a line", before: [b], after: [line("b", 1)], events: [removed("b", 2)] },
  { what: "a line less", before: [a, b], after: [b], events: [removed("a", 2)] },
  {
    what: "an emptied cart",
    before: [a, b],
    after: [],
    events: [removed("a", 2), removed("b", 3)],
  },
  {
    what: "a new price alone",
    before: [a],
    after: [{ ...a, snapshot: { ...a.snapshot, unitPriceMinor: 1 } }],
    events: [],
  },
])("tells of $what what was added and removed", ({ before, after, events }) => {
  expect(cartEvents(cartOf(...before), cartOf(...after))).toEqual(events);
});
