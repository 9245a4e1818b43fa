import type { Incentive, Intent, ShopContext } from "../businesses/index.ts";
import {
  boughtWithQuery,
  popularInCategoriesQuery,
  popularProductsQuery,
} from "../catalogue/index.ts";
import { moodOf, type Shopper, strangersState } from "./find-state.ts";
import { type Recommendation, recommended } from "./recommendation.ts";
import type { SessionActivity } from "./session-activity.ts";

/** Interests beyond these are long past. */
const maxCategories = 20;
const maxProducts = 20;

/** interface.md, GET /activity/recommendations. */
export type Recommendations = Readonly<{
  recommendations: readonly Recommendation[];
  intent: Intent;
  incentive: Incentive | null;
}>;

/**
 * What a shopper may like, in one round trip; null for a caller without a session, who is shown what
 * others like. Never an inactive product, never one that is in the cart (completions.md 11).
 */
export async function findRecommendations(
  ctx: ShopContext,
  shopper: Shopper | null,
  limit: number,
): Promise<Recommendations> {
  const lines = shopper?.cart.lines ?? [];
  const except = lines.map(({ configuration }) => configuration.productId);
  const categoryIds = shopper === null ? [] : interestsOf(shopper.activity);
  const productIds = shopper === null ? [] : wantedBy(except, shopper.activity);
  const [boughtWith, fromCategories, popular] = await ctx.db.batch([
    boughtWithQuery(ctx, { productIds, except, limit }),
    popularInCategoriesQuery(ctx, { categoryIds, except, limit }),
    popularProductsQuery(ctx, { except, limit }),
  ]);
  const { intent, incentive } =
    shopper === null ? strangersState(ctx.business) : moodOf(ctx.business, shopper, ctx.now());
  return {
    recommendations: recommended({ boughtWith, fromCategories, popular }, limit),
    intent,
    incentive,
  };
}

/** The products of the cart, and behind them those that were viewed. */
const wantedBy = (inCart: readonly string[], { products }: SessionActivity): string[] =>
  [...new Set([...inCart, ...products.map(({ productId }) => productId)])].slice(0, maxProducts);

/** The categories that were viewed, and behind them those of the products that were. */
function interestsOf({ categories, products }: SessionActivity): string[] {
  const viewed = categories.map(({ categoryId }) => categoryId);
  const ofProducts = products.flatMap(({ categoryId }) => categoryId ?? []);
  return [...new Set([...viewed, ...ofProducts])].slice(0, maxCategories);
}
