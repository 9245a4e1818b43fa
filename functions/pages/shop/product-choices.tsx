import type { FormState } from "../parts/fields.tsx";
import { formatPrice, isPositive } from "../parts/format.ts";
import { OptionGroup } from "../parts/option-group.tsx";
import type { VisitedShop } from "./open-shop.ts";
import type { ProductParts, ShownProduct } from "./product-parts.ts";

type ChoicesProps = Readonly<{
  shop: VisitedShop;
  product: ShownProduct;
  parts: ProductParts;
  form: FormState;
}>;

/** What a shopper chooses of a product: its variant, its options, and what a bundle or composite has. */
export const ProductChoices = ({ shop, product, parts, form }: ChoicesProps) => (
  <>
    {product.variant_axes.length > 1 ? (
      <AxisChoices product={product} form={form} />
    ) : (
      <VariantChoice shop={shop} product={product} form={form} />
    )}
    <AddOnChoices shop={shop} product={product} form={form} />
    {parts.type === "bundle" && <BundleChoices parts={parts} form={form} />}
    {parts.type === "composite" &&
      parts.groups.map((group) => (
        <OptionGroup
          legend={group.name}
          hint={groupHint(group.min_selections, group.max_selections)}
          name={`group_${group.id}`}
          type={group.max_selections === 1 ? "radio" : "checkbox"}
          isRequired={group.max_selections === 1 && group.min_selections === 1}
          form={form}
          options={group.components.map(({ component_id: value, name, price }) => ({
            value,
            name,
            note: isPositive(price) ? `+ ${formatPrice(price, shop.business)}` : "",
          }))}
        />
      ))}
  </>
);

/** The groups of options of a product. */
export const AddOnChoices = ({ shop, product, form }: Omit<ChoicesProps, "parts">) => (
  <>
    {product.add_ons.map((group) => (
      <OptionGroup
        legend={group.name}
        name={`addon_${group.id}`}
        type={group.selection_type === "single" ? "radio" : "checkbox"}
        isRequired={group.is_required}
        form={form}
        usual={form.values.chosen_options}
        options={group.options.map(({ id, name, price }) => ({
          value: id,
          name,
          note: isPositive(price) ? `+ ${formatPrice(price, shop.business)}` : "",
        }))}
      />
    ))}
  </>
);

function groupHint(min: number, max: number): string {
  if (min === max) return `Choose ${min}.`;
  return min === 0 ? `Choose up to ${max}.` : `Choose ${min} to ${max}.`;
}

type ProductForm = Readonly<{ product: ShownProduct; form: FormState }>;

type ShownVariant = ShownProduct["variants"][number];

const activeVariants = ({ variants }: Pick<ShownProduct, "variants">): readonly ShownVariant[] =>
  variants.filter((variant) => variant.is_active);

/** The variant that is chosen at first: the default one, unless it is sold out. */
function usualVariant(variants: readonly ShownVariant[]): ShownVariant | undefined {
  const left = variants.filter((variant) => variant.in_stock);
  return left.find((variant) => variant.is_default) ?? left[0];
}

/** One choice for each axis, such as size and colour. */
const AxisChoices = ({ product, form }: ProductForm) => {
  const variants = activeVariants(product);
  const left = variants.filter((variant) => variant.in_stock);
  const usual = usualVariant(variants);
  const has = (name: string, value: string) => (variant: ShownVariant) =>
    variant.axis_values[name] === value;
  return (
    <>
      {product.variant_axes.map(({ name, label, values }) => (
        <OptionGroup
          legend={label}
          name={`axis_${name}`}
          type="radio"
          isRequired
          form={form}
          usual={usual?.axis_values[name]}
          options={values
            .filter((value) => variants.some(has(name, value)))
            .map((value) => ({
              value,
              name: value,
              note: "",
              isSoldOut: !left.some(has(name, value)),
            }))}
        />
      ))}
      <SoldOutCombinations variants={variants} />
    </>
  );
};

const maxNamed = 12;

/** The combinations that are sold out, of values that are each left in another one. */
const SoldOutCombinations = ({ variants }: Readonly<{ variants: readonly ShownVariant[] }>) => {
  const left = variants.filter((variant) => variant.in_stock);
  const names = variants
    .filter(
      (variant) =>
        !variant.in_stock &&
        Object.entries(variant.axis_values).every(([axis, value]) =>
          left.some((other) => other.axis_values[axis] === value),
        ),
    )
    .map(({ name }) => name);
  if (names.length === 0) return null;
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return (
    <p class="hint">
      Sold out: {names.slice(0, maxNamed).join(", ")}
      {more}.
    </p>
  );
};

/** One choice among all variants, each with its price. */
export const VariantChoice = ({
  shop,
  product,
  form,
}: ProductForm & Readonly<{ shop: VisitedShop }>) => {
  const variants = activeVariants(product);
  if (variants.length === 0) return null;
  const hasOnePrice = product.price_range.min === product.price_range.max;
  const priceOf = (adjustment: string) => {
    const price = Number(product.default_price) + Number(adjustment);
    return formatPrice(String(price), shop.business);
  };
  return (
    <OptionGroup
      legend={product.variant_axes[0]?.label ?? "Choose one"}
      name="variant"
      type="radio"
      isRequired
      form={form}
      usual={usualVariant(variants)?.id}
      options={variants.map((variant) => ({
        value: variant.id,
        name: variant.name,
        note: hasOnePrice ? "" : priceOf(variant.price_adjustment),
        isSoldOut: !variant.in_stock,
      }))}
    />
  );
};

/** The variants of a bundle's components that can be swapped. */
const BundleChoices = ({
  parts,
  form,
}: Readonly<{ parts: Extract<ProductParts, { type: "bundle" }>; form: FormState }>) => (
  <>
    {parts.components.map(({ component, product }) => {
      const variants = product === null ? [] : activeVariants(product);
      const usual = variants.find(({ id }) => id === component.default_variant_id);
      return (
        component.is_swappable &&
        variants.length > 1 && (
          <OptionGroup
            legend={component.name}
            name={`swap_${component.component_id}`}
            type="radio"
            isRequired
            form={form}
            usual={(usual?.in_stock ? usual : usualVariant(variants))?.id}
            options={variants.map(({ id, name, in_stock: isLeft }) => ({
              value: id,
              name,
              note: "",
              isSoldOut: !isLeft,
            }))}
          />
        )
      );
    })}
  </>
);
