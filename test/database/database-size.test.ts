import { expect, it } from "vitest";
import { databaseSizeOf } from "../../shared/database/index.ts";
import { dataOf, operator } from "../support/world.ts";

it.each([
  [0, false],
  [9_899_999_999, false],
  [9_900_000_000, true],
  [10_000_000_000, true],
])("a database of %i bytes is full: %s", (bytes, isFull) => {
  expect(databaseSizeOf(bytes)).toEqual({ bytes, isFull });
});

it("the operator's status names the size of each shard", async () => {
  const { shards } = dataOf(await operator("GET", "/v1/operator/status"));
  expect(shards).toEqual(
    ["SHOP_1", "SHOP_2"].map((shard) =>
      expect.objectContaining({ shard, size_bytes: expect.any(Number), is_full: false }),
    ),
  );
  for (const { size_bytes: bytes } of shards) expect(bytes).toBeGreaterThan(100_000);
});
