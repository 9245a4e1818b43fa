import type { PageContext } from "../env.ts";
import { createFormMarks } from "../http/forms.ts";
import { redirectTo, respondWithPage } from "../http/respond.tsx";
import {
  emptyForm,
  errorMarks,
  FieldNotes,
  type FormState,
  Notice,
  PostForm,
} from "../parts/fields.tsx";
import { formatPrice } from "../parts/format.ts";
import { OfferPage } from "../parts/offer-page.tsx";
import { servicePath } from "../services/service-choice.ts";
import { loadCartCount } from "./cart-count.ts";
import { openShop, type VisitedShop } from "./open-shop.ts";
import { loadPlans, PlanChoice } from "./plan-choice.tsx";
import { ProductChoices } from "./product-choices.tsx";
import { loadProductParts, type ProductParts, type ShownProduct } from "./product-parts.ts";

/** The path of a product's page. */
const productPath = (shop: VisitedShop, { slug }: Pick<ShownProduct, "slug">): string =>
  `${shop.path}/products/${encodeURIComponent(slug)}`;

/** A product with what can be chosen of it, and the form that adds it to the cart. */
export async function respondWithProduct(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const { data: product } = await shop.api.products.get(c.req.param("product") ?? "");
  if (product.product_type === "service") return redirectTo(c, servicePath(shop, product.slug));
  return showProduct(c, { shop, product });
}

type ProductView = Readonly<{
  shop: VisitedShop;
  product: ShownProduct;
  form?: FormState;
  status?: 200 | 400 | 409 | 422 | 503;
}>;

/** The page; after a refused form with what was chosen and what is wrong with it. */
export async function showProduct(
  c: PageContext,
  { shop, product, form = emptyForm, status = 200 }: ProductView,
): Promise<Response> {
  const [parts, plans, cartCount, marks] = await Promise.all([
    loadProductParts(shop, product),
    loadPlans(shop, product),
    loadCartCount(shop),
    createFormMarks(c),
  ]);
  const path = productPath(shop, product);
  const page = (
    <OfferPage
      {...{ shop, product, cartCount, path, form }}
      list={
        product.category && {
          href: `${shop.path}/categories/${encodeURIComponent(product.category.slug)}`,
          name: product.category.name,
        }
      }
      data={productData(shop, product)}
    >
      {product.in_stock ? (
        <PostForm action={path} marks={marks} class="add">
          <ProductChoices shop={shop} product={product} parts={parts} form={form} />
          <PlanChoice shop={shop} plans={plans} form={form} usual={c.req.query("plan")} />
          <div class="add-row">
            <div class="field quantity">
              <label for="quantity">Quantity</label>
              <input
                id="quantity"
                name="quantity"
                type="number"
                inputmode="numeric"
                min={1}
                max={100}
                required
                value={form.values.quantity ?? "1"}
                {...errorMarks("quantity", form)}
              />
            </div>
            <button type="submit">Add to cart</button>
          </div>
          <FieldNotes name="quantity" form={form} />
        </PostForm>
      ) : (
        <Notice kind="info">This is sold out at the moment.</Notice>
      )}
      <Contents shop={shop} parts={parts} />
    </OfferPage>
  );
  return respondWithPage(c, page, { status, isListed: status === 200 });
}

/** What a bundle contains. */
const Contents = ({ shop, parts }: Readonly<{ shop: VisitedShop; parts: ProductParts }>) => {
  if (parts.type !== "bundle") return null;
  return (
    <section class="contents" aria-labelledby="contents">
      <h2 id="contents">What is in it</h2>
      <ul>
        {parts.components.map(({ component, product }) => (
          <li>
            {component.quantity} ×{" "}
            {product === null ? (
              component.name
            ) : (
              <a href={productPath(shop, product)}>{component.name}</a>
            )}
            {product !== null && (
              <span class="hint"> {formatPrice(product.default_price, shop.business)} alone</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};

/** The product and its offer for search engines. */
function productData({ business, origin, path }: VisitedShop, product: ShownProduct): object {
  const { min, max } = product.price_range;
  const availability = `https://schema.org/${product.in_stock ? "InStock" : "OutOfStock"}`;
  const common = {
    priceCurrency: product.currency,
    availability,
    url: `${origin}${path}/products/${encodeURIComponent(product.slug)}`,
    seller: { "@type": "Organization", name: business.name },
  };
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name: product.name,
    description: product.description,
    sku: product.id,
    ...(product.images.length > 0 && { image: product.images.map(({ url }) => url) }),
    offers:
      min === max
        ? { "@type": "Offer", price: min, ...common }
        : { "@type": "AggregateOffer", lowPrice: min, highPrice: max, ...common },
  };
}
