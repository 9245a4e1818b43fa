import {
  type CsvVariant,
  type ExtraColumns,
  type ImportedProduct,
  inventoryPolicies,
  isOfVariant,
} from "../catalogue/index.ts";
import { formatMoney, parseMoney } from "../kernel/index.ts";

/** What a file says and the catalogue has no field for, by the names of its columns. */
const column = {
  altText: "Image Alt Text",
  compareAt: "Variant Compare At Price",
  policy: "Variant Inventory Policy",
  sku: "Variant SKU",
  tracker: "Variant Inventory Tracker",
} as const;

/** Those of the product; without variants its only row's variant columns are among them. */
export function columnsOfProduct(
  { extra, images, axes, variants: [only] }: ImportedProduct,
  currency: string,
): ExtraColumns {
  const altTexts = Object.fromEntries(images.flatMap(({ url, alt }) => (alt ? [[url, alt]] : [])));
  return {
    ...extra,
    ...(Object.keys(altTexts).length > 0 && { [column.altText]: JSON.stringify(altTexts) }),
    ...(axes.length === 0 && only && columnsOfVariant(only, currency)),
    ...(axes.length === 0 && only?.sku && { [column.sku]: only.sku }),
  };
}

export function columnsOfVariant(
  { extra, compareAtMinor, policy, quantity }: CsvVariant,
  currency: string,
): ExtraColumns {
  // Beside no quantity a tracker says what the product's inventory type says.
  const { [column.tracker]: tracker, ...others } = extra;
  return {
    ...(quantity === null && tracker === "shopify" ? others : extra),
    ...(compareAtMinor !== null && { [column.compareAt]: formatMoney(compareAtMinor, currency) }),
    ...(policy !== "deny" && { [column.policy]: policy }),
  };
}

/** The way back: what `columnsOfProduct` kept of the product itself. */
export function productColumns(columns: ExtraColumns): {
  extra: ExtraColumns;
  altTextOf: (url: string) => string;
} {
  const extra = Object.entries(columns).filter(
    ([name]) => name !== column.altText && !isOfVariant(name),
  );
  const altTexts = new Map<string, unknown>(
    Object.entries(JSON.parse(columns[column.altText] ?? "{}")),
  );
  return {
    extra: Object.fromEntries(extra),
    altTextOf: (url) => String(altTexts.get(url) ?? ""),
  };
}

/** The way back: what `columnsOfVariant` kept. */
export function variantColumns(
  columns: ExtraColumns,
  currency: string,
): Pick<CsvVariant, "compareAtMinor" | "policy" | "extra"> {
  const {
    [column.compareAt]: compareAt,
    [column.policy]: policy,
    [column.sku]: _,
    ...extra
  } = columns;
  return {
    compareAtMinor: compareAt === undefined ? null : parseMoney(compareAt, currency),
    policy: inventoryPolicies.find((each) => each === policy) ?? "deny",
    extra,
  };
}

/** The same of a product without variants, whose sku is one of its columns. */
export function onlyVariantColumns(
  columns: ExtraColumns,
  currency: string,
): Pick<CsvVariant, "compareAtMinor" | "policy" | "extra" | "sku"> {
  const own = Object.entries(columns).filter(([name]) => isOfVariant(name));
  return {
    ...variantColumns(Object.fromEntries(own), currency),
    sku: columns[column.sku] ?? null,
  };
}
