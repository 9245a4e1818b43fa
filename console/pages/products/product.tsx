import type { BusinessSchemas } from "@duka/sdk/business";
import { Badge } from "../../ui/badge.tsx";

export type ProductRecord = BusinessSchemas["ProductRecord"];

export const productStatuses = {
  active: { name: "Active" },
  inactive: { name: "Inactive" },
} as const;

const productTypes: Readonly<Record<ProductRecord["product_type"], string>> = {
  product: "Product",
  digital: "Digital",
  service: "Service",
  bundle: "Bundle",
  composite: "Composite",
};

export const ActiveBadge = ({ isActive }: Readonly<{ isActive: boolean }>) =>
  isActive ? <Badge tone="success">Active</Badge> : <Badge>Inactive</Badge>;

/** Says what a product is, when it is not a plain product. */
export const ProductTypeBadge = ({ type }: Readonly<{ type: ProductRecord["product_type"] }>) =>
  type !== "product" && <Badge>{productTypes[type]}</Badge>;
