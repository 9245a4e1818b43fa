export type Category = Readonly<{
  id: string;
  name: string;
  slug: string;
  description: string;
  parentId: string | null;
  imageUrl: string | null;
  sortOrder: number;
  metadata: Readonly<Record<string, unknown>>;
}>;

/** A category as the list shows it; the count is of active products, its own. */
export type ListedCategory = Category & Readonly<{ productCount: number }>;
