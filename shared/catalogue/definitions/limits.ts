/**
 * How large a bundle or a composite, and what is chosen of one, may be: what a merchant may define, a
 * shopper can choose, and a cart's line stays small enough to be kept.
 */
export const definitionLimits = {
  bundleComponents: 50,
  /** Pieces of one component in a bundle. */
  componentPieces: 1_000,
  /** Pieces that a composite's group may take, and so what may be chosen of one component. */
  groupPieces: 10_000,
  /** Components chosen of a composite. */
  selections: 200,
} as const;
