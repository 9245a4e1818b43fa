import { NotFoundError, type StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import type { VisitedShop } from "./open-shop.ts";

export type ShownProduct = StorefrontSchemas["ProductDetail"];

/** A component of a bundle, with its product while that is on sale. */
export type BundlePart = Readonly<{
  component: StorefrontSchemas["BundleDetail"]["components"][number];
  product: ShownProduct | null;
}>;

/** What a product consists of, beside its own variants and options. */
export type ProductParts = Readonly<
  | { type: "none" }
  | { type: "bundle"; components: readonly BundlePart[] }
  | { type: "composite"; groups: StorefrontSchemas["CompositeDetail"]["groups"] }
>;

/** Components whose product is read too, for its variants and its link. */
const maxReadComponents = 12;

export async function loadProductParts(
  { api }: VisitedShop,
  { id, product_type: type }: Pick<ShownProduct, "id" | "product_type">,
): Promise<ProductParts> {
  if (type === "composite") {
    return { type: "composite", groups: (await api.composites.getByProduct(id)).data.groups };
  }
  if (type !== "bundle") return { type: "none" };
  const { data: bundle } = await api.bundles.getByProduct(id);
  const components = await Promise.all(
    bundle.components.map(async (component, index) => ({
      component,
      product: index < maxReadComponents ? await findProduct({ api }, component.product_id) : null,
    })),
  );
  return { type: "bundle", components };
}

const findProduct = ({ api }: Pick<VisitedShop, "api">, id: string): Promise<ShownProduct | null> =>
  api.products.get(id).then(
    ({ data }) => data,
    (error: unknown) => {
      if (error instanceof NotFoundError) return null; // it is not on sale alone
      throw error;
    },
  );
