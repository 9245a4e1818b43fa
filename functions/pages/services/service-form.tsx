import { emptyForm, SelectField } from "../parts/fields.tsx";
import type { VisitedShop } from "../shop/open-shop.ts";
import { VariantChoice } from "../shop/product-choices.tsx";
import type { ShownProduct } from "../shop/product-parts.ts";
import { maxPeople, type ServiceChoice, servicePath } from "./service-choice.ts";
import type { ShownService } from "./time-choice.ts";

type FormProps = Readonly<{
  shop: VisitedShop;
  product: ShownProduct;
  service: ShownService;
  choice: ServiceChoice;
}>;

/** What the free times depend on: the variant, the place, the person, and how many come. */
export const ServiceForm = ({ shop, product, service, choice }: FormProps) => {
  const places = shop.business.locations.filter(({ id }) => service.location_ids.includes(id));
  const people = maxPeople(service);
  const variants = product.variants.filter((variant) => variant.is_active);
  const hasChoice =
    variants.length > 1 || places.length > 1 || service.staff.length > 1 || people > 1;
  if (!hasChoice) return null;
  const values = {
    variant: choice.variantId ?? "",
    location: choice.locationId ?? "",
    staff: choice.staffId ?? "",
  };
  const form = { ...emptyForm, values };
  return (
    <form class="add" action={`${servicePath(shop, product.slug)}#times`}>
      {choice.replacedLine !== null && (
        <input type="hidden" name="replace" value={choice.replacedLine} />
      )}
      {variants.length > 1 && (
        <VariantChoice
          shop={shop}
          product={{ ...product, variant_axes: product.variant_axes.slice(0, 1) }}
          form={form}
        />
      )}
      <div class="pair">
        {places.length > 1 && (
          <SelectField
            name="location"
            label="Where"
            form={form}
            options={places.map(({ id, name }) => ({ value: id, name }))}
          />
        )}
        {service.staff.length > 1 && (
          <SelectField
            name="staff"
            label="Person"
            form={form}
            options={[
              { value: "", name: "Anyone" },
              ...service.staff.map(({ id, name }) => ({ value: id, name })),
            ]}
          />
        )}
        {people > 1 && (
          <div class="field">
            <label for="people">How many people</label>
            <input
              id="people"
              name="people"
              type="number"
              inputmode="numeric"
              min={1}
              max={people}
              required
              value={String(choice.people)}
            />
          </div>
        )}
      </div>
      <button type="submit" class="plain">
        Show free times
      </button>
    </form>
  );
};
