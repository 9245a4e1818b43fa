import type { Incentive, Intent, ShopContext } from "../businesses/index.ts";
import { productPopularity } from "../catalogue/index.ts";
import { anonymousState, intentAndIncentive, type Shopper } from "./activity-state.ts";
import type { SessionActivity } from "./session-activity.ts";

/** The maximum number of interests that recommendations use; the most recent ones are used. */
const maxCategoryInterests = 20;
const maxProductInterests = 20;

export type Recommendations = Readonly<{
  recommendations: readonly Recommendation[];
  intent: Intent;
  incentive: Incentive | null;
}>;

/**
 * Recommends active products that are not in the cart, in one round trip. Without a session
 * (`shopper` is null) it recommends popular products.
 */
export async function findRecommendations(
  ctx: ShopContext,
  shopper: Shopper | null,
  limit: number,
): Promise<Recommendations> {
  const lines = shopper?.cart.lines ?? [];
  const except = lines.map(({ configuration }) => configuration.productId);
  const categoryIds = shopper === null ? [] : categoryInterests(shopper.activity);
  const productIds = shopper === null ? [] : productInterests(except, shopper.activity);
  const [boughtWith, fromCategories, popular] = await ctx.db.batch([
    productPopularity.boughtTogetherQuery(ctx, { productIds, except, limit }),
    productPopularity.popularInCategoriesQuery(ctx, { categoryIds, except, limit }),
    productPopularity.popularProductsQuery(ctx, { except, limit }),
  ]);
  const { intent, incentive } =
    shopper === null
      ? anonymousState(ctx.business)
      : intentAndIncentive(ctx.business, shopper, ctx.now());
  return {
    recommendations: rankRecommendations({ boughtWith, fromCategories, popular }, limit),
    intent,
    incentive,
  };
}

/** The ids of the products in the cart, followed by those of the viewed products. */
const productInterests = (inCart: readonly string[], { products }: SessionActivity): string[] =>
  [...new Set([...inCart, ...products.map(({ productId }) => productId)])].slice(
    0,
    maxProductInterests,
  );

/** The ids of the viewed categories, followed by the categories of the viewed products. */
function categoryInterests({ categories, products }: SessionActivity): string[] {
  const viewed = categories.map(({ categoryId }) => categoryId);
  const ofProducts = products.flatMap(({ categoryId }) => categoryId ?? []);
  return [...new Set([...viewed, ...ofProducts])].slice(0, maxCategoryInterests);
}

/** A recommended product and the reason why it is recommended. */
export type Recommendation = Readonly<{ id: string; name: string; reason: string }>;

type Candidate = Readonly<{ id: string; name: string }>;

/**
 * Candidate products by reason, each list best first. The lists contain only active products that
 * are not in the cart.
 */
export type Candidates = Readonly<{
  boughtWith: readonly (Candidate & Readonly<{ withId: string }>)[];
  fromCategories: readonly (Candidate & Readonly<{ categoryId: string }>)[];
  popular: readonly Candidate[];
}>;

/**
 * The best candidates without duplicates. A candidate of several lists gets its strongest reason.
 */
export function rankRecommendations(
  { boughtWith, fromCategories, popular }: Candidates,
  limit: number,
): Recommendation[] {
  const ranked = [
    ...boughtWith.map(({ id, name, withId }) => ({ id, name, reason: `bought_with:${withId}` })),
    ...fromCategories.map(({ id, name, categoryId }) => ({
      id,
      name,
      reason: `from_category:${categoryId}`,
    })),
    ...popular.map(({ id, name }) => ({ id, name, reason: "popular" })),
  ];
  const seen = new Set<string>();
  return ranked.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, limit);
}
