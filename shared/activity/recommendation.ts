/** A product that a shopper may like, and why (completions.md 11). */
export type Recommendation = Readonly<{ id: string; name: string; reason: string }>;

type Candidate = Readonly<{ id: string; name: string }>;

/** Candidates by their reasons, each list best first; none of them is in the cart or inactive. */
export type Candidates = Readonly<{
  boughtWith: readonly (Candidate & Readonly<{ withId: string }>)[];
  fromCategories: readonly (Candidate & Readonly<{ categoryId: string }>)[];
  popular: readonly Candidate[];
}>;

/** The best of the candidates, each once, for its strongest reason. */
export function recommended(
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
