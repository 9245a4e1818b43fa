import { FieldNotes, type FormState } from "../parts/fields.tsx";
import { formatPrice, isPositive } from "../parts/format.ts";
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

/** One choice for each axis, such as size and colour. */
const AxisChoices = ({ product, form }: ProductForm) => {
  const usual = product.variants.find((variant) => variant.is_active && variant.is_default);
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
            .filter((value) =>
              product.variants.some((one) => one.is_active && one.axis_values[name] === value),
            )
            .map((value) => ({ value, name: value, note: "" }))}
        />
      ))}
    </>
  );
};

/** One choice among all variants, each with its price. */
export const VariantChoice = ({
  shop,
  product,
  form,
}: ProductForm & Readonly<{ shop: VisitedShop }>) => {
  const variants = product.variants.filter((variant) => variant.is_active);
  if (variants.length === 0) return null;
  const usual = variants.find((variant) => variant.is_default) ?? variants[0];
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
      usual={usual?.id}
      options={variants.map(({ id, name, price_adjustment: adjustment }) => ({
        value: id,
        name,
        note: hasOnePrice ? "" : priceOf(adjustment),
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
      const variants = product?.variants.filter((variant) => variant.is_active) ?? [];
      return (
        component.is_swappable &&
        variants.length > 1 && (
          <OptionGroup
            legend={component.name}
            name={`swap_${component.component_id}`}
            type="radio"
            isRequired
            form={form}
            usual={component.default_variant_id ?? variants[0]?.id}
            options={variants.map(({ id, name }) => ({ value: id, name, note: "" }))}
          />
        )
      );
    })}
  </>
);

type OptionGroupProps = Readonly<{
  legend: string;
  hint?: string;
  name: string;
  type: "radio" | "checkbox";
  isRequired: boolean;
  form: FormState;
  /** What is chosen at first. */
  usual?: string | undefined;
  options: readonly Readonly<{ value: string; name: string; note: string }>[];
}>;

const OptionGroup = ({
  legend,
  hint,
  name,
  type,
  isRequired,
  form,
  usual,
  options,
}: OptionGroupProps) => {
  const chosen = (form.values[name] ?? usual ?? "").split("\n");
  const hasNone = type === "radio" && !isRequired;
  return (
    <fieldset class="options" aria-describedby={form.errors[name] ? `${name}-error` : undefined}>
      <legend>
        {legend}
        {!isRequired && !hint && <span class="optional"> (optional)</span>}
      </legend>
      <FieldNotes name={name} form={form} hint={hint} />
      <div class="choices">
        {hasNone && (
          <label>
            <input type="radio" name={name} value="" checked={chosen.includes("")} />
            <span>None</span>
          </label>
        )}
        {options.map((option) => (
          <label>
            <input
              type={type}
              name={name}
              value={option.value}
              checked={chosen.includes(option.value)}
              required={type === "radio" && isRequired}
            />
            <span>
              {option.name}
              {option.note && <small>{option.note}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
