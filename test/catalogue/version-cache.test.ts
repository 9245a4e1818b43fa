import { expect, it } from "vitest";
import { createVersionCache } from "../../shared/catalogue/index.ts";

it("keeps the newer version when a slow read brings an older one", () => {
  const versions = createVersionCache();
  versions.remember("biz_1", 1_000, 8);
  versions.remember("biz_1", 1_500, 7);
  expect(versions.peek("biz_1", 1_500)).toBe(8);
});
