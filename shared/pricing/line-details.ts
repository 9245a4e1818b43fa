import { mainImageUrl, type OfferedProduct } from "../catalogue/index.ts";
import { bundleContents } from "./bundle.ts";
import { compositeContents } from "./composite.ts";
import {
  type LineComponent,
  type LineConfiguration,
  type ProductSet,
  productsAtLocation,
} from "./configuration.ts";

/** An add-on option that was chosen for a line, at its price in the catalogue. */
export type ChosenAddOn = Readonly<{
  id: string;
  name: string;
  groupName: string;
  priceMinor: number;
}>;

/** What a cart or an order shows of a line besides its name and price. */
export type LineDetails = Readonly<{
  slug: string;
  imageUrl: string | null;
  addOns: readonly ChosenAddOn[];
  contents: readonly LineComponent[];
}>;

/**
 * The details of a line that `priceLine` accepts.
 *
 * @throws Refusal as `priceLine` for unknown components.
 */
export function describeLine(
  catalogue: ProductSet,
  { locationId, addOnOptionIds, bundleSelections, compositeSelections }: LineConfiguration,
  { slug, images, addOns, bundle, composite }: OfferedProduct,
): LineDetails {
  const products = productsAtLocation(catalogue, locationId);
  return {
    slug,
    imageUrl: mainImageUrl({ images }),
    addOns: addOns.flatMap(({ name: groupName, options }) =>
      options
        .filter(({ id }) => addOnOptionIds.includes(id))
        .map(({ id, name, priceMinor }) => ({ id, name, groupName, priceMinor })),
    ),
    contents: [
      ...(bundle ? bundleContents(bundle, products, bundleSelections) : []),
      ...(composite ? compositeContents(composite, products, compositeSelections) : []),
    ],
  };
}
