import type { Child } from "hono/jsx";
import type { VisitedShop } from "../shop/open-shop.ts";
import type { ShownProduct } from "../shop/product-parts.ts";
import { type FormState, Notice } from "./fields.tsx";
import { ShopDocument } from "./layout.tsx";
import { Price, ProductImage } from "./product-grid.tsx";

type OfferPageProps = Readonly<{
  shop: VisitedShop;
  product: ShownProduct;
  cartCount: number | null;
  path: string;
  /** The list that it belongs to; null for none. */
  list: Readonly<{ href: string; name: string }> | null;
  /** Structured data of schema.org. */
  data: object;
  /** What stands below the price. */
  note?: string;
  /** Whether what is chosen is too long to stay in view. */
  isLong?: boolean;
  form: Pick<FormState, "message">;
  children?: Child;
}>;

/** The page of a product or a service: its images, its price, and the forms that sell it. */
export const OfferPage = ({
  shop,
  product,
  cartCount,
  path,
  list,
  data,
  note,
  isLong = false,
  form,
  children,
}: OfferPageProps) => {
  const images = product.images.length > 0 ? product.images.map(({ url }) => url) : [null];
  return (
    <ShopDocument
      shop={shop}
      cartCount={cartCount}
      facts={{
        title: product.name,
        description:
          product.description.slice(0, 300) || `${product.name} from ${shop.business.name}.`,
        canonicalPath: path,
        imageUrl: product.image_url,
        type: "product",
        data,
      }}
    >
      <nav class="trail" aria-label="Where you are">
        <a href={shop.home}>{shop.business.name}</a>
        {list && <a href={list.href}>{list.name}</a>}
      </nav>
      <div class="product">
        <div class="gallery">
          {images.map((url, index) => (
            <ProductImage
              url={url}
              name={index === 0 ? product.name : `${product.name}, picture ${index + 1}`}
              isFirst={index === 0}
            />
          ))}
        </div>
        <div class={isLong ? "buy long" : "buy"}>
          <h1>{product.name}</h1>
          <Price
            class="large"
            shop={shop}
            price={product.price_range.min}
            former={product.compare_at_price}
            isFrom={product.price_range.min !== product.price_range.max}
          />
          {note && <p class="hint">{note}</p>}
          {product.description && <p class="description">{product.description}</p>}
          {form.message && <Notice kind="bad">{form.message}</Notice>}
          {children}
        </div>
      </div>
    </ShopDocument>
  );
};
