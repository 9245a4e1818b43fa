import { DukaError } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { type FormFields, readForm, submissionKey } from "../http/forms.ts";
import { redirectTo } from "../http/respond.tsx";
import { openShop } from "./open-shop.ts";
import { showProduct } from "./product-page.tsx";
import type { ShownProduct } from "./product-parts.ts";

/** Adds a product to the cart, and shows the cart. A refusal shows the product again with the choice. */
export async function addToCart(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const form = await readForm(c);
  const { data: product } = await shop.api.products.get(c.req.param("product") ?? "");
  const values = Object.fromEntries(form.names.map((name) => [name, form.all(name).join("\n")]));
  const variant = chosenVariant(product, form);
  const quantity = Number(form.get("quantity") || "1");
  const plan = form.get("billing_plan");
  const errors = { ...quantityErrors(quantity), ...findMissingOptions(product, form) };
  if (variant === "none") {
    const message = "This combination is not available. Choose another one.";
    return showProduct(c, { shop, product, status: 422, form: { values, errors, message } });
  }
  if (Object.keys(errors).length > 0) {
    const [message] = Object.values(errors);
    return showProduct(c, { shop, product, status: 400, form: { values, errors, message } });
  }
  try {
    await shop.api.cart.addItem(
      {
        item_id: product.id,
        quantity,
        ...(variant !== null && { variant_id: variant }),
        ...(plan !== "" && { billing_plan_id: plan }),
        ...readSelections(form),
      },
      { idempotencyKey: await submissionKey(form) },
    );
  } catch (error) {
    if (!(error instanceof DukaError) || ![400, 409, 422].includes(error.status)) throw error;
    return showProduct(c, {
      shop,
      product,
      status: 422,
      form: { values, errors: {}, message: refusalText(error) },
    });
  }
  return redirectTo(c, `${shop.path}/cart?added=${encodeURIComponent(product.slug)}`);
}

/** What is wrong, in the words of a shop. */
function refusalText(error: DukaError): string {
  if (error.rule !== "OUT_OF_STOCK") return error.message;
  const left = Number(error.context.quantity_available ?? 0);
  if (left <= 0) return "No more of this is left. Your cart may have the last ones.";
  return left === 1 ? "Only 1 is left." : `Only ${left} are left.`;
}

function quantityErrors(quantity: number): Readonly<Record<string, string>> {
  const isRight = Number.isInteger(quantity) && quantity >= 1 && quantity <= 100;
  return isRight ? {} : { quantity: "Enter a quantity from 1 to 100." };
}

/** The groups of options that need a choice and have none. */
export const findMissingOptions = (
  product: ShownProduct,
  form: FormFields,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    product.add_ons
      .filter(({ id, is_required: isRequired }) => isRequired && form.get(`addon_${id}`) === "")
      .map(({ id, name }) => [`addon_${id}`, `Choose: ${name}.`]),
  );

/** The id of the variant; null for a product without any; `none` for a combination that is none. */
function chosenVariant(
  { variants, variant_axes: axes }: ShownProduct,
  form: FormFields,
): string | null {
  const active = variants.filter((variant) => variant.is_active);
  if (active.length === 0) return null;
  if (axes.length <= 1) return form.get("variant") || null;
  const matches = active.find((variant) =>
    axes.every(({ name }) => variant.axis_values[name] === form.get(`axis_${name}`)),
  );
  return matches?.id ?? "none";
}

/** The chosen options, the swapped variants of a bundle and the components of a composite. */
export function readSelections(form: FormFields) {
  const chosen = (prefix: string) =>
    form.names
      .filter((name) => name.startsWith(prefix))
      .flatMap((name) => form.all(name).map((value) => [name.slice(prefix.length), value] as const))
      .filter(([, value]) => value !== "");
  const options = chosen("addon_").map(([, option]) => option);
  const swaps = chosen("swap_").map(([component_id, variant_id]) => ({ component_id, variant_id }));
  const components = chosen("group_").map(([, component_id]) => ({ component_id }));
  return {
    ...(options.length > 0 && { add_on_options: options }),
    ...(swaps.length > 0 && { bundle_selections: swaps }),
    ...(components.length > 0 && { composite_selections: components }),
  };
}
