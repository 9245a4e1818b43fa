import { expect, it } from "vitest";
import { cartChangeEvents } from "../../shared/activity/index.ts";
import { createCart, createCartLine } from "./create-cart.ts";

const line = (id: string, quantity: number) => createCartLine(id, { quantity });

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
  { what: "less of a line", before: [b], after: [line("b", 1)], events: [removed("b", 2)] },
  { what: "a removed line", before: [a, b], after: [b], events: [removed("a", 2)] },
  {
    what: "a cleared cart",
    before: [a, b],
    after: [],
    events: [removed("a", 2), removed("b", 3)],
  },
  {
    what: "only a new price",
    before: [a],
    after: [{ ...a, snapshot: { ...a.snapshot, unitPriceMinor: 1 } }],
    events: [],
  },
])("records added and removed quantities for $what", ({ before, after, events }) => {
  expect(cartChangeEvents(createCart(...before), createCart(...after))).toEqual(events);
});
