/** Products with all of the tags are in it; which these are is decided when it is read. */
export type CollectionRule = Readonly<{ tags: readonly string[] }>;

/** Products in the given order, or a rule: never both. */
export type CollectionMembers =
  | Readonly<{ productIds: readonly string[]; rule: null }>
  | Readonly<{ productIds: null; rule: CollectionRule }>;

export type Collection = Readonly<{
  id: string;
  name: string;
  slug: string;
  description: string;
  imageUrl: string | null;
  sortOrder: number;
  metadata: Readonly<Record<string, unknown>>;
  members: CollectionMembers;
}>;

/** A collection as the public sees it; the count is of its active products. */
export type ListedCollection = Omit<Collection, "members"> & Readonly<{ productCount: number }>;
