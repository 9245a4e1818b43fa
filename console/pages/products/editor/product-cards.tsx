import type { ReactNode } from "react";
import type { FormPart } from "../../../ui/use-form.ts";
import type { ProductValues } from "../product-values.ts";
import { PropertiesCard } from "../properties/properties-card.tsx";
import { VariantsCard } from "../variants/variants-card.tsx";
import { AddOnsCard } from "./add-ons-card.tsx";
import { DetailsCard } from "./details-card.tsx";
import { LocationPricesCard } from "./location-prices-card.tsx";
import { OrganizationCard } from "./organization-card.tsx";
import { PlansCard } from "./plans-card.tsx";
import { PriceCard } from "./price-card.tsx";
import { SchedulesCard } from "./schedules-card.tsx";
import { ShippingCard } from "./shipping-card.tsx";
import { StockCard } from "./stock-card.tsx";

export type CardProps = Readonly<{ form: FormPart<ProductValues> }>;

type ProductCardsProps = CardProps &
  Readonly<{
    images: ReactNode;
    /** What the product is made of, when it is a bundle or a composite. */
    parts?: ReactNode;
    /** The price, when it is not the product's own. */
    price?: ReactNode;
    /** Null before the product is created. */
    productId: string | null;
  }>;

/** The parts of a product's form. */
export const ProductCards = ({ form, images, parts, price, productId }: ProductCardsProps) => (
  <div className="columns">
    <div className="stack">
      <DetailsCard form={form} />
      {parts}
      {images}
      {price ?? <PriceCard form={form} />}
      <VariantsCard form={form} />
      <AddOnsCard form={form} />
      <PropertiesCard form={form} />
      <LocationPricesCard form={form} />
      <SchedulesCard form={form} />
    </div>
    <div className="stack">
      <OrganizationCard form={form} />
      <StockCard form={form} productId={productId} />
      <ShippingCard form={form} />
      <PlansCard form={form} />
    </div>
  </div>
);
