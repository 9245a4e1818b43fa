import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { respondWithPage } from "../http/respond.tsx";
import { ShopDocument } from "../parts/layout.tsx";
import { ProductGrid, ProductImage } from "../parts/product-grid.tsx";
import { loadCartCount } from "./cart-count.ts";
import { openShop, type VisitedShop } from "./open-shop.ts";
import { MoreLink, readCursor } from "./sorting.tsx";

export type ListedCollection = StorefrontSchemas["Collection"];

const pageSize = 24;

const collectionPath = (shop: VisitedShop, slug: string): string =>
  `${shop.path}/collections/${encodeURIComponent(slug)}`;

/** The collections of a shop, a page at a time. */
export async function respondWithCollections(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const cursor = readCursor(c);
  const [collections, cartCount] = await Promise.all([
    shop.api.collections.list({ ...(cursor && { cursor }), limit: pageSize }).page(),
    loadCartCount(shop),
  ]);
  const shown = collections.items.filter(({ product_count: count }) => count > 0);
  const path = `${shop.path}/collections`;
  const page = (
    <ShopDocument
      shop={shop}
      cartCount={cartCount}
      facts={{
        title: "Collections",
        description: `Collections of ${shop.business.name}.`,
        canonicalPath: path,
      }}
    >
      <nav class="trail" aria-label="Where you are">
        <a href={shop.home}>{shop.business.name}</a>
      </nav>
      <h1>Collections</h1>
      {shown.length === 0 ? (
        <div class="empty">
          <p>There are no collections at the moment.</p>
          <a class="button" href={shop.home}>
            See all products
          </a>
        </div>
      ) : (
        <CollectionGrid shop={shop} collections={shown} heading="h2" />
      )}
      <MoreLink path={path} cursor={collections.nextCursor} sort="newest" />
    </ShopDocument>
  );
  const isListed = cursor === undefined && shown.length > 0;
  return respondWithPage(c, page, { isPublic: !shop.hasSession(), isListed });
}

type GridProps = Readonly<{
  shop: VisitedShop;
  collections: readonly ListedCollection[];
  heading: "h2" | "h3";
}>;

/** Collections as cards with their images; as links alone while none has an image. */
export const CollectionGrid = ({ shop, collections, heading: Heading }: GridProps) => {
  const linkTo = ({ name, slug }: ListedCollection) => (
    <a href={collectionPath(shop, slug)}>{name}</a>
  );
  if (collections.every(({ image_url: url }) => url === null))
    return <div class="chips">{collections.map(linkTo)}</div>;
  return (
    <ul class="grid">
      {collections.map((collection) => (
        <li class="card">
          <ProductImage url={collection.image_url} name="" />
          <div class="card-text">
            <Heading>{linkTo(collection)}</Heading>
            <p class="hint">{countOf(collection)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
};

const countOf = ({ product_count: count }: ListedCollection): string =>
  count === 1 ? "1 product" : `${count} products`;

/** A collection with its products, in the merchant's order. */
export async function respondWithCollection(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const slug = c.req.param("collection") ?? "";
  const cursor = readCursor(c);
  const [{ data: collection }, products, cartCount] = await Promise.all([
    shop.api.collections.get(slug),
    shop.api.collections.listProducts(slug, { ...(cursor && { cursor }), limit: pageSize }).page(),
    loadCartCount(shop),
  ]);
  const path = collectionPath(shop, collection.slug);
  const page = (
    <ShopDocument
      shop={shop}
      cartCount={cartCount}
      facts={{
        title: collection.name,
        description:
          collection.description.slice(0, 300) || `${collection.name} from ${shop.business.name}.`,
        canonicalPath: path,
        imageUrl: collection.image_url,
      }}
    >
      <nav class="trail" aria-label="Where you are">
        <a href={shop.home}>{shop.business.name}</a>
        <a href={`${shop.path}/collections`}>Collections</a>
      </nav>
      <h1>{collection.name}</h1>
      {collection.description && <p class="description">{collection.description}</p>}
      {products.items.length === 0 ? (
        <p class="empty">There is nothing in this collection at the moment.</p>
      ) : (
        <ProductGrid shop={shop} products={products.items} heading="h2" />
      )}
      <MoreLink path={path} cursor={products.nextCursor} sort="newest" />
    </ShopDocument>
  );
  return respondWithPage(c, page, { isPublic: !shop.hasSession(), isListed: cursor === undefined });
}
