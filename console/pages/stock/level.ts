import type { BusinessSchemas } from "@duka/sdk/business";

/** What is in stock of a product, or of a variant, at one location. */
export type Level = BusinessSchemas["ValuedStockLevel"];

/** The id by which the API changes a level: the variant's, or else the product's. */
export const itemIdOf = ({ product_id, variant_id }: Pick<Level, "product_id" | "variant_id">) =>
  variant_id ?? product_id;

export const itemNameOf = ({
  product_name,
  variant_name,
}: Pick<Level, "product_name" | "variant_name">): string =>
  [product_name, variant_name].filter(Boolean).join(" · ");
