import { expect, it } from "vitest";
import { joinJsonChunks } from "../../functions/http/bodies.ts";
import {
  type CartResponse,
  cartJsonChunks,
  fromStoredCartResponse,
  toStoredCartResponse,
  viewCart,
} from "../../functions/storefront/views/cart.ts";
import { type Cart, emptyCart } from "../../shared/cart/index.ts";
import { createConfiguration } from "../pricing/create-products.ts";
import { testAddress } from "../support/world.ts";

const business = {
  id: "bus_1",
  currency: "GHS",
  settings: { tax: { ratePercent: "0", isInclusive: false } },
};

const nameOf = (number: number) => `Tea \u{1f375} of ₵${number}, "brûlé"`;

const cartOf = (lines: number): Cart => ({
  ...emptyCart("cart_1", 0),
  lines: Array.from({ length: lines }, (_, number) => ({
    id: `ci_${number}`,
    configuration: createConfiguration(`prod_${number}`),
    quantity: 2,
    snapshot: {
      name: nameOf(number),
      variantId: null,
      variantName: null,
      unitPriceMinor: 150,
      parts: [],
      lock: null,
    },
  })),
});

const read = (answer: CartResponse): unknown =>
  JSON.parse(
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      joinJsonChunks(cartJsonChunks(answer)),
    ),
  );

it.each([0, 1, 2, 200])("serialises a cart of %i lines with any names", (lines) => {
  const json = read(viewCart(cartOf(lines), { business, address: testAddress }));
  expect(json).toMatchObject({
    id: "cart_1",
    business_id: "bus_1",
    item_count: 2 * lines,
    items: Array.from({ length: lines }, (_, number) => ({ name: nameOf(number) })),
  });
  expect(json).not.toHaveProperty("item");
});

it("contains the written line and survives storage unchanged", () => {
  const answer = viewCart(cartOf(3), { business, address: testAddress }, "ci_1");
  expect(read(answer)).toMatchObject({ item: { id: "ci_1", name: nameOf(1), line_total: "3.00" } });
  const stored: ReturnType<typeof toStoredCartResponse> = JSON.parse(
    JSON.stringify(toStoredCartResponse(answer)),
  );
  expect(read(fromStoredCartResponse(stored))).toEqual(read(answer));
  expect(
    toStoredCartResponse(viewCart(cartOf(0), { business, address: testAddress })).item,
  ).toBeNull();
});
