import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import type { VisitedShop } from "../shop/open-shop.ts";
import { formatPrice } from "./format.ts";
import { Icon } from "./icons.tsx";

export type ListedProduct = StorefrontSchemas["ProductListEntry"];

type GridProps = Readonly<{
  shop: VisitedShop;
  products: readonly ListedProduct[];
  /** The level of the products' headings. */
  heading?: "h2" | "h3";
  /** The plan that the products are subscribed to with; its price is not theirs. */
  plan?: string;
}>;

/** Images that a visitor sees without scrolling are loaded first. */
const firstImages = 4;

/** Products as cards, each a single link. */
export const ProductGrid = ({ shop, products, heading = "h3", plan }: GridProps) => (
  <ul class="grid">
    {products.map((product, index) => (
      <li>
        <ProductCard
          shop={shop}
          product={product}
          heading={heading}
          plan={plan}
          isFirst={index < firstImages}
        />
      </li>
    ))}
  </ul>
);

const pathOf = (shop: VisitedShop, { product_type: type, slug }: ListedProduct): string =>
  `${shop.path}/${type === "service" ? "services" : "products"}/${encodeURIComponent(slug)}`;

type CardProps = Readonly<{
  shop: VisitedShop;
  product: ListedProduct;
  heading: "h2" | "h3";
  plan: string | undefined;
  isFirst: boolean;
}>;

const ProductCard = ({ shop, product, heading: Heading, plan, isFirst }: CardProps) => (
  <article class="card">
    <ProductImage url={product.image_url} name="" isFirst={isFirst} />
    <div class="card-text">
      <Heading>
        <a
          href={
            plan === undefined ? pathOf(shop, product) : `${pathOf(shop, product)}?plan=${plan}`
          }
        >
          {product.name}
        </a>
      </Heading>
      {plan === undefined && (
        <Price
          shop={shop}
          price={product.price_range.min}
          former={product.compare_at_price}
          isFrom={product.price_range.min !== product.price_range.max}
        />
      )}
      {!product.in_stock && <p class="sold-out">Sold out</p>}
    </div>
  </article>
);

type ImageProps = Readonly<{ url: string | null; name: string; isFirst?: boolean }>;

/** A product's image, or a quiet ground in its place. */
export const ProductImage = ({ url, name, isFirst = false }: ImageProps) => (
  <div class={url === null ? "image none" : "image"}>
    {url === null ? (
      <Icon name="picture" />
    ) : (
      <img
        src={url}
        alt={name}
        width="600"
        height="600"
        loading={isFirst ? "eager" : "lazy"}
        decoding="async"
        fetchpriority={isFirst ? "high" : "auto"}
      />
    )}
  </div>
);

type PriceProps = Readonly<{
  shop: VisitedShop;
  price: string;
  former?: string | null;
  isFrom?: boolean;
  class?: string;
}>;

/** A price, with the former one struck through. */
export const Price = ({ shop, price, former = null, isFrom = false, ...props }: PriceProps) => (
  <p class={props.class === undefined ? "price" : `price ${props.class}`}>
    {isFrom && <span class="from">from </span>}
    {former === null ? (
      formatPrice(price, shop.business)
    ) : (
      <>
        <span class="visually-hidden">Now </span>
        <strong>{formatPrice(price, shop.business)}</strong>{" "}
        <span class="visually-hidden">before </span>
        <s>{formatPrice(former, shop.business)}</s>
      </>
    )}
  </p>
);
