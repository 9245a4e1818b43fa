import { getTableColumns, type SQL, sql, type Table } from "drizzle-orm";
import type { OfferedProduct } from "./plans/offered-product.ts";
import { componentsToo, rowsOfProducts } from "./product-repo.ts";
import { bundles, composites, products, productVariants } from "./tables.ts";

type Column<T extends Table> = keyof T["$inferSelect"] & string;

/** What a price reads of a table. */
const part = <T extends Table, K extends Column<T>>(table: T, names: readonly K[]) => ({
  table,
  names,
});

const parts = {
  products: part(products, [
    ...(["id", "name", "isActive", "defaultPriceMinor", "addOns", "priceOverrides"] as const),
  ]),
  variants: part(productVariants, [
    ...(["id", "productId", "name", "priceAdjustmentMinor"] as const),
    ...(["isDefault", "isActive", "position"] as const),
  ]),
  bundles: part(bundles, ["id", "productId", "components", "pricing"]),
  composites: part(composites, ["id", "productId", "basePriceMinor", "groups"]),
} as const;

type PartName = keyof typeof parts;
const partNames: readonly PartName[] = ["products", "variants", "bundles", "composites"];

type StoredRow = Readonly<Record<string, unknown>>;

/** What products cost, by their rows as they stood when one statement read them. */
export type ProductSnapshot = Readonly<Record<PartName, readonly StoredRow[]>>;

/** Escaped and in UTF-8 still far below the 2 MB that D1 keeps in a row. */
const maxCharacters = 100_000;

/** Of the names of a row's columns, and what stands between its values. */
const charactersOfRow = 150;

/**
 * A query of the snapshot of a product and its components, for a write that is to keep what it was
 * decided on, and the condition that it is short enough to be kept. Archived products are left out,
 * inactive ones are not.
 */
export function snapshotOf(
  business: { id: string },
  productId: string,
): Readonly<{ snapshot: SQL; isShort: SQL }> {
  const chosen = rowsOfProducts(componentsToo(sql`select ${productId}`), business);
  const from = (name: PartName) => sql`from ${parts[name].table} where ${chosen[name]}`;
  const lists = partNames.map(
    (name) =>
      sql`${sql.raw(`'${name}'`)}, (select json_group_array(json_object(${pairsOf(name)})) ${from(name)})`,
  );
  const lengths = partNames.map(
    (name) => sql`(select coalesce(sum(${lengthOf(name)}), 0) ${from(name)})`,
  );
  return {
    snapshot: sql`select json_object(${sql.join(lists, sql`, `)})`,
    isShort: sql`${sql.join(lengths, sql` + `)} <= ${maxCharacters}`,
  };
}

/** The products of a snapshot by id, as a price reads them: of the rest of a product they are blank. */
export function productsOf(snapshot: ProductSnapshot): ReadonlyMap<string, OfferedProduct> {
  const variants = snapshot.variants
    .map((stored) => rowFrom(parts.variants, stored))
    .toSorted((a, b) => a.position - b.position);
  const bundleRows = snapshot.bundles.map((stored) => rowFrom(parts.bundles, stored));
  const compositeRows = snapshot.composites.map((stored) => rowFrom(parts.composites, stored));
  const rows = snapshot.products.map((stored) => rowFrom(parts.products, stored));
  const ofProduct =
    (id: string) =>
    ({ productId }: { productId: string }) =>
      productId === id;
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...blankProduct,
        ...row,
        variants: variants
          .filter(ofProduct(row.id))
          .map(({ position: _, ...variant }) => ({ ...blankVariant, ...variant })),
        bundle: bundleRows.find(ofProduct(row.id)) ?? null,
        composite: compositeRows.find(ofProduct(row.id)) ?? null,
      },
    ]),
  );
}

const blankVariant = {
  sku: null,
  axisValues: {},
  durationMinutes: null,
  bufferMinutes: null,
  capacity: null,
} as const;

const blankProduct = {
  slug: "",
  description: "",
  categoryId: null,
  taxonomyId: null,
  productType: "product",
  inventoryType: "none",
  isFeatured: false,
  tags: [],
  properties: {},
  images: [],
  variantAxes: [],
  schedules: [],
  billingPlanIds: [],
  billingPlans: [],
  groupIds: [],
  createdAt: 0,
  updatedAt: 0,
} as const;

/** A row by its columns' names in the code. */
const pairsOf = (name: PartName): SQL =>
  sql.join(
    columnsOf(name).map(([key, column]) => sql`${sql.raw(`'${key}'`)}, ${column}`),
    sql`, `,
  );

const lengthOf = (name: PartName): SQL =>
  sql.join(
    [sql`${charactersOfRow}`, ...columnsOf(name).map(([, column]) => sql`length(${column})`)],
    sql` + `,
  );

const columnsOf = (name: PartName) => {
  const names: readonly string[] = parts[name].names;
  return Object.entries(getTableColumns<Table>(parts[name].table)).filter(([key]) =>
    names.includes(key),
  );
};

/** Safe: the columns are named by the table that the row was read from. */
const rowFrom = <T extends Table, K extends Column<T>>(
  { table, names }: Readonly<{ table: T; names: readonly K[] }>,
  stored: StoredRow,
): Pick<T["$inferSelect"], K> => {
  const columns = getTableColumns<Table>(table);
  return Object.fromEntries(
    names.map((name) => [name, columns[name]?.mapFromDriverValue(stored[name])]),
  ) as Pick<T["$inferSelect"], K>;
};
