import { expect, it } from "vitest";
import type { OfferedProduct } from "../../shared/catalogue/index.ts";
import { productMemory } from "../../shared/catalogue/product-memory.ts";

// Safe: what a memory keeps is of no concern to it.
const product = (name: string, size = 0) =>
  ({ name, description: "x".repeat(size) }) as OfferedProduct;

it("knows each catalogue's own products, and which are none of it", () => {
  const memory = productMemory(10_000);
  memory.put("one 1", "prod_1", product("Tea"));
  memory.put("one 1", "prod_2", null);
  expect(memory.of("one 1")("prod_1")).toEqual(product("Tea"));
  expect(memory.of("one 1")("prod_2")).toBeNull();
  expect(memory.of("one 1")("prod_3")).toBeUndefined();
  expect(memory.of("one 2")("prod_1")).toBeUndefined();
});

it("forgets what was not asked for while half of its room filled up, and nothing that was", () => {
  const memory = productMemory(10_000);
  memory.put("one 1", "prod_asked", product("Asked"));
  memory.put("one 1", "prod_left", product("Left"));
  for (let number = 0; number < 20; number += 1) {
    memory.put("one 1", `prod_${number}`, product("Other", 500));
    expect(memory.of("one 1")("prod_asked")).toEqual(product("Asked"));
  }
  expect(memory.of("one 1")("prod_left")).toBeUndefined();
  expect(memory.of("one 1")("prod_19")).toBeDefined();
  expect(memory.of("one 1")("prod_0")).toBeUndefined();
});
