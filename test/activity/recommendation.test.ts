import { expect, it } from "vitest";
import { rankRecommendations } from "../../shared/activity/index.ts";

const one = (id: string) => ({ id, name: id.toUpperCase() });

it("recommends each product once, with its strongest reason, up to the limit", () => {
  const candidates = {
    boughtWith: [
      { ...one("d"), withId: "e" },
      { ...one("d"), withId: "f" },
    ],
    fromCategories: [
      { ...one("a"), categoryId: "cat_1" },
      { ...one("a"), categoryId: "cat_2" },
    ],
    popular: [one("a"), one("b"), one("c")],
  };
  expect(rankRecommendations(candidates, 3)).toEqual([
    { id: "d", name: "D", reason: "bought_with:e" },
    { id: "a", name: "A", reason: "from_category:cat_1" },
    { id: "b", name: "B", reason: "popular" },
  ]);
});
