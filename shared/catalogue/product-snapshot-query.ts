import { getTableColumns, type SQL, sql, type Table } from "drizzle-orm";
import { type OfferedProduct, standardTaxClass } from "./product.ts";
import { productRowConditions, withComponentIds } from "./product-conditions-query.ts";
import { bundles, composites, products, productVariants } from "./tables.ts";

type ColumnName<T extends Table> = keyof T["$inferSelect"] & string;

/** The columns of a table that are needed to price a product. */
const tableColumns = <T extends Table, K extends ColumnName<T>>(table: T, names: readonly K[]) => ({
  table,
  names,
});

const snapshotTables = {
  products: tableColumns(products, [
    ...(["id", "name", "isActive", "defaultPriceMinor", "addOns", "priceOverrides"] as const),
  ]),
  variants: tableColumns(productVariants, [
    ...(["id", "productId", "name", "priceAdjustmentMinor"] as const),
    ...(["isDefault", "isActive", "position"] as const),
  ]),
  bundles: tableColumns(bundles, ["id", "productId", "components", "pricing"]),
  composites: tableColumns(composites, ["id", "productId", "basePriceMinor", "groups"]),
} as const;

type SnapshotTable = keyof typeof snapshotTables;
const snapshotTableNames: readonly SnapshotTable[] = [
  "products",
  "variants",
  "bundles",
  "composites",
];

type SnapshotRow = Readonly<Record<string, unknown>>;

/** The rows that are needed to price a product, all read by one statement. */
export type ProductSnapshot = Readonly<Record<SnapshotTable, readonly SnapshotRow[]>>;

/**
 * The maximum length of a snapshot. Escaped and in UTF-8, a snapshot of this length is still far
 * below D1's limit of 2 MB per row.
 */
const maxSnapshotCharacters = 100_000;

/** An upper bound for the column names and separators of one row. */
const charactersPerRow = 150;

/**
 * A query that takes the snapshot of a product and its components, and the condition that the
 * snapshot is short enough. A write uses both to store the prices that it was based on. Inactive
 * products are included, archived ones are not.
 */
export function productSnapshotQuery(
  business: { id: string },
  productId: string,
): Readonly<{ snapshot: SQL; fitsSizeLimit: SQL }> {
  const conditions = productRowConditions(withComponentIds(sql`select ${productId}`), business);
  const from = (name: SnapshotTable) =>
    sql`from ${snapshotTables[name].table} where ${conditions[name]}`;
  const lists = snapshotTableNames.map(
    (name) =>
      sql`${sql.raw(`'${name}'`)}, (select json_group_array(json_object(${jsonPairs(name)})) ${from(name)})`,
  );
  const lengths = snapshotTableNames.map(
    (name) => sql`(select coalesce(sum(${rowLength(name)}), 0) ${from(name)})`,
  );
  return {
    snapshot: sql`select json_object(${sql.join(lists, sql`, `)})`,
    fitsSizeLimit: sql`${sql.join(lengths, sql` + `)} <= ${maxSnapshotCharacters}`,
  };
}

/** The products of a snapshot by id. The fields that pricing does not read are empty. */
export function productsFromSnapshot(
  snapshot: ProductSnapshot,
): ReadonlyMap<string, OfferedProduct> {
  const variants = snapshot.variants
    .map((stored) => parseRow(snapshotTables.variants, stored))
    .toSorted((a, b) => a.position - b.position);
  const bundleRows = snapshot.bundles.map((stored) => parseRow(snapshotTables.bundles, stored));
  const compositeRows = snapshot.composites.map((stored) =>
    parseRow(snapshotTables.composites, stored),
  );
  const rows = snapshot.products.map((stored) => parseRow(snapshotTables.products, stored));
  const ofProduct =
    (id: string) =>
    ({ productId }: { productId: string }) =>
      productId === id;
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...unreadProductFields,
        ...row,
        variants: variants
          .filter(ofProduct(row.id))
          .map(({ position: _, ...variant }) => ({ ...unreadVariantFields, ...variant })),
        bundle: bundleRows.find(ofProduct(row.id)) ?? null,
        composite: compositeRows.find(ofProduct(row.id)) ?? null,
      },
    ]),
  );
}

const unreadVariantFields = {
  compareAtPriceMinor: null,
  sku: null,
  axisValues: {},
  durationMinutes: null,
  bufferMinutes: null,
  capacity: null,
  weightGrams: null,
} as const;

const unreadProductFields = {
  slug: "",
  description: "",
  categoryId: null,
  taxonomyId: null,
  compareAtPriceMinor: null,
  taxClass: standardTaxClass,
  productType: "product",
  inventoryType: "none",
  isFeatured: false,
  tags: [],
  properties: {},
  images: [],
  variantAxes: [],
  schedules: [],
  billingPlanIds: [],
  weightGrams: 0,
  requiresShipping: true,
  billingPlans: [],
  groupIds: [],
  createdAt: 0,
  updatedAt: 0,
} as const;

/** The arguments of json_object: the property name and the value of each column. */
const jsonPairs = (name: SnapshotTable): SQL =>
  sql.join(
    snapshotColumns(name).map(([key, column]) => sql`${sql.raw(`'${key}'`)}, ${column}`),
    sql`, `,
  );

const rowLength = (name: SnapshotTable): SQL =>
  sql.join(
    [
      sql`${charactersPerRow}`,
      ...snapshotColumns(name).map(([, column]) => sql`length(${column})`),
    ],
    sql` + `,
  );

const snapshotColumns = (name: SnapshotTable) => {
  const names: readonly string[] = snapshotTables[name].names;
  return Object.entries(getTableColumns<Table>(snapshotTables[name].table)).filter(([key]) =>
    names.includes(key),
  );
};

/** Parses a row. Safe: the property names come from the table that the row was read from. */
const parseRow = <T extends Table, K extends ColumnName<T>>(
  { table, names }: Readonly<{ table: T; names: readonly K[] }>,
  stored: SnapshotRow,
): Pick<T["$inferSelect"], K> => {
  const columns = getTableColumns<Table>(table);
  return Object.fromEntries(
    names.map((name) => [name, columns[name]?.mapFromDriverValue(stored[name])]),
  ) as Pick<T["$inferSelect"], K>;
};
