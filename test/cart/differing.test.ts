import fc from "fast-check";
import { expect, it } from "vitest";
import { type CartLine, differing, emptyCart } from "../../shared/cart/index.ts";

// Safe: which lines these are is told by themselves.
const lines = Array.from({ length: 6 }, (_, id) => ({ id: `ci_${id}` }) as CartLine);
const some = fc.subarray(lines, { maxLength: 5 });
const cartOf = (own: readonly CartLine[]) => ({ ...emptyCart("cart_1", 0), lines: own });

it("tells the lines that went, came or changed, and little else", () => {
  fc.assert(
    fc.property(some, some, ([...was], is) => {
      const { before, after } = differing(cartOf(was), cartOf(is));
      const goneOf = (from: readonly CartLine[], to: readonly CartLine[]) =>
        from.filter((line) => !to.includes(line));
      expect(goneOf(before, after)).toEqual(goneOf(was, is));
      expect(goneOf(after, before)).toEqual(goneOf(is, was));
    }),
    { seed: 3 },
  );
});

it("is one line of many where one was changed, or taken away", () => {
  const changed = { ...lines[2], quantity: 2 } as CartLine;
  const [first, second, third, ...rest] = lines;
  if (!first || !second || !third) throw new Error("There are six.");
  const was = cartOf(lines);
  expect(differing(was, cartOf([first, second, changed, ...rest]))).toEqual({
    before: [third],
    after: [changed],
  });
  expect(differing(was, cartOf([first, third, ...rest]))).toEqual({ before: [second], after: [] });
  expect(differing(was, was)).toEqual({ before: [], after: [] });
});
