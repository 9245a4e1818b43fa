import type { BusinessSchemas } from "@duka/sdk/business";
import { Badge } from "../../ui/badge.tsx";

export type Product = BusinessSchemas["ProductRecord"];

export const productStatuses = {
  active: { name: "Active" },
  inactive: { name: "Inactive" },
} as const;

export const productTypes: Readonly<Record<Product["product_type"], string>> = {
  product: "Product",
  digital: "Digital",
  service: "Service",
  bundle: "Bundle",
  composite: "Composite",
};

export const ActiveBadge = ({ isActive }: Readonly<{ isActive: boolean }>) =>
  isActive ? <Badge tone="success">Active</Badge> : <Badge>Inactive</Badge>;

/** Says what a product is, when it is not a plain product. */
export const ProductTypeBadge = ({ type }: Readonly<{ type: Product["product_type"] }>) =>
  type !== "product" && <Badge>{productTypes[type]}</Badge>;
