import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { respondWithPage } from "../http/respond.tsx";
import { ShopDocument } from "../parts/layout.tsx";
import { ProductGrid } from "../parts/product-grid.tsx";
import { ServiceList } from "../services/service-list-page.tsx";
import { loadCartCount } from "./cart-count.ts";
import { CollectionGrid, type ListedCollection } from "./collection-pages.tsx";
import { openShop, type VisitedShop } from "./open-shop.ts";
import { MoreLink, readCursor, SortForm, sortOf } from "./sorting.tsx";

type Category = StorefrontSchemas["Category"];

const pageSize = 24;
const shownCollections = 4;

/** The home page of a shop: its categories, what it recommends, and all products. */
export async function respondWithHome(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const cursor = readCursor(c);
  const sort = sortOf(c.req.query("sort"));
  const isFirst = cursor === undefined;
  const isWhole = isFirst && sort.isUsual;
  const [categories, collections, plans, services, featured, products, cartCount] =
    await Promise.all([
      shop.api.categories.list(),
      isWhole ? shop.api.collections.list({ limit: shownCollections }).page() : null,
      isWhole ? shop.api.billingPlans.list() : null,
      isWhole ? shop.api.services.list() : null,
      isWhole ? shop.api.products.list({ featured: true, limit: 4 }).page() : null,
      shop.api.products.list({ ...sort.query, ...(cursor && { cursor }), limit: pageSize }).page(),
      loadCartCount(shop),
    ]);
  const { business, home, path } = shop;
  const page = (
    <ShopDocument
      shop={shop}
      cartCount={cartCount}
      facts={{
        title: business.name,
        description: `Order online from ${business.name}.`,
        canonicalPath: home,
        imageUrl: business.appearance.logo_url,
        data: {
          "@context": "https://schema.org",
          "@type": "Store",
          name: business.name,
          url: shop.origin + home,
        },
      }}
    >
      <h1 class={isFirst ? "shop-name" : undefined}>{business.name}</h1>
      {isFirst && <CategoryLinks shop={shop} categories={categories.data} />}
      {services !== null && services.data.length > 0 && (
        <section aria-labelledby="services">
          <div class="list-head">
            <h2 id="services">Book a time</h2>
            <a href={`${path}/services`}>All services</a>
          </div>
          <ServiceList shop={shop} services={services.data.slice(0, 3)} heading="h3" />
        </section>
      )}
      {featured !== null && featured.items.length > 2 && (
        <section aria-labelledby="featured">
          <h2 id="featured">Our favourites</h2>
          <ProductGrid shop={shop} products={featured.items} />
        </section>
      )}
      {collections !== null && <Collections shop={shop} collections={collections.items} />}
      {plans !== null && plans.data.length > 0 && (
        <p>
          <a href={`${path}/plans`}>Subscribe and get it again and again</a>
        </p>
      )}
      <section aria-labelledby="all">
        <div class="list-head">
          <h2 id="all">All products</h2>
          <SortForm action={home} sort={sort.value} />
        </div>
        {products.items.length === 0 ? (
          <p class="empty">This shop has no products yet. Come back soon.</p>
        ) : (
          <ProductGrid shop={shop} products={products.items} />
        )}
        <MoreLink path={home} cursor={products.nextCursor} sort={sort.value} />
      </section>
    </ShopDocument>
  );
  return respondWithPage(c, page, { isPublic: !shop.hasSession(), isListed: isFirst });
}

/** The first collections with something in them. */
const Collections = ({ shop, collections }: CollectionsProps) => {
  const shown = collections.filter(({ product_count: count }) => count > 0);
  return (
    shown.length > 0 && (
      <section aria-labelledby="collections">
        <div class="list-head">
          <h2 id="collections">Collections</h2>
          <a href={`${shop.path}/collections`}>All collections</a>
        </div>
        <CollectionGrid shop={shop} collections={shown} heading="h3" />
      </section>
    )
  );
};

type CollectionsProps = Readonly<{ shop: VisitedShop; collections: readonly ListedCollection[] }>;

/** Links to the categories at the top of the tree. */
const CategoryLinks = ({
  shop,
  categories,
}: Readonly<{ shop: VisitedShop; categories: readonly Category[] }>) => {
  const shown = categories.filter(
    ({ parent_id: parent, product_count: count }) => parent === null && count > 0,
  );
  return (
    shown.length > 1 && (
      <nav class="chips" aria-label="Categories">
        {shown.map(({ slug, name }) => (
          <a href={`${shop.path}/categories/${encodeURIComponent(slug)}`}>{name}</a>
        ))}
      </nav>
    )
  );
};
