import fc from "fast-check";
import { expect, it } from "vitest";
import { type CartLine, changedLines, emptyCart } from "../../shared/cart/index.ts";

// Safe: only the identity of the lines matters.
const lines = Array.from({ length: 6 }, (_, id) => ({ id: `ci_${id}` }) as CartLine);
const some = fc.subarray(lines, { maxLength: 5 });
const cartOf = (own: readonly CartLine[]) => ({ ...emptyCart("cart_1", 0), lines: own });

it("returns the removed, added and changed lines", () => {
  fc.assert(
    fc.property(some, some, ([...was], is) => {
      const { before, after } = changedLines(cartOf(was), cartOf(is));
      const goneOf = (from: readonly CartLine[], to: readonly CartLine[]) =>
        from.filter((line) => !to.includes(line));
      expect(goneOf(before, after)).toEqual(goneOf(was, is));
      expect(goneOf(after, before)).toEqual(goneOf(is, was));
    }),
    { seed: 3 },
  );
});

it("returns one line of many when one was changed or removed", () => {
  const changed = { ...lines[2], quantity: 2 } as CartLine;
  const [first, second, third, ...rest] = lines;
  if (!first || !second || !third) throw new Error("There are six.");
  const was = cartOf(lines);
  expect(changedLines(was, cartOf([first, second, changed, ...rest]))).toEqual({
    before: [third],
    after: [changed],
  });
  expect(changedLines(was, cartOf([first, third, ...rest]))).toEqual({
    before: [second],
    after: [],
  });
  expect(changedLines(was, was)).toEqual({ before: [], after: [] });
});
