import { describe, expect, it } from "vitest";
import { createProductMemory } from "../../shared/catalogue/catalogue-cache.ts";
import type { OfferedProduct } from "../../shared/catalogue/index.ts";

// Safe: the cache only stores and measures its values.
const createProduct = (name: string, size = 0) =>
  ({ name, description: "x".repeat(size) }) as OfferedProduct;

describe("createProductMemory", () => {
  it("separates catalogues and remembers ids that do not exist", () => {
    const memory = createProductMemory(10_000);
    memory.put("biz 1", "prod_1", createProduct("Tea"));
    memory.put("biz 1", "prod_2", null);
    expect(memory.catalogue("biz 1")("prod_1")).toEqual(createProduct("Tea"));
    expect(memory.catalogue("biz 1")("prod_2")).toBeNull();
    expect(memory.catalogue("biz 1")("prod_3")).toBeUndefined();
    expect(memory.catalogue("biz 2")("prod_1")).toBeUndefined();
  });

  it("drops products that were not read since half of its bytes were filled, and keeps the others", () => {
    const memory = createProductMemory(10_000);
    memory.put("biz 1", "prod_read", createProduct("Read"));
    memory.put("biz 1", "prod_unread", createProduct("Unread"));
    for (let number = 0; number < 20; number += 1) {
      memory.put("biz 1", `prod_${number}`, createProduct("Other", 500));
      expect(memory.catalogue("biz 1")("prod_read")).toEqual(createProduct("Read"));
    }
    expect(memory.catalogue("biz 1")("prod_unread")).toBeUndefined();
    expect(memory.catalogue("biz 1")("prod_19")).toBeDefined();
    expect(memory.catalogue("biz 1")("prod_0")).toBeUndefined();
  });
});
