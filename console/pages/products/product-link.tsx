import { Link } from "@tanstack/react-router";
import type { ProductRecord } from "./product.tsx";

/** A product's name that leads to its editor: a bundle's or a composite's own, if it is one. */
export function ProductLink({ product }: Readonly<{ product: ProductRecord }>) {
  const { id, name, bundle_id: bundleId, composite_id: compositeId } = product;
  const link = { className: "row-link", from: "/$businessId" } as const;
  if (bundleId !== null) {
    return (
      <Link {...link} to="/$businessId/bundles/$bundleId" params={{ bundleId }}>
        {name}
      </Link>
    );
  }
  if (compositeId !== null) {
    return (
      <Link {...link} to="/$businessId/composites/$compositeId" params={{ compositeId }}>
        {name}
      </Link>
    );
  }
  return (
    <Link {...link} to="/$businessId/products/$productId" params={{ productId: id }}>
      {name}
    </Link>
  );
}
