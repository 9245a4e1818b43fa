import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { respondWithPage } from "../http/respond.tsx";
import { ShopDocument } from "../parts/layout.tsx";
import { ProductGrid } from "../parts/product-grid.tsx";
import { ServiceList } from "../services/service-list-page.tsx";
import { loadCartCount } from "./cart-count.ts";
import { openShop, type VisitedShop } from "./open-shop.ts";
import { MoreLink, readCursor, SortForm, sortOf } from "./sorting.tsx";

type Category = StorefrontSchemas["Category"];

const pageSize = 24;

/** The home page of a shop: its categories, what it recommends, and all products. */
export async function respondWithHome(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const cursor = readCursor(c);
  const sort = sortOf(c.req.query("sort"));
  const [categories, services, featured, products, cartCount] = await Promise.all([
    shop.api.categories.list(),
    cursor === undefined && sort.isUsual ? shop.api.services.list() : null,
    cursor === undefined && sort.isUsual
      ? shop.api.products.list({ featured: true, limit: 4 }).page()
      : null,
    shop.api.products.list({ ...sort.query, ...(cursor && { cursor }), limit: pageSize }).page(),
    loadCartCount(shop),
  ]);
  const { business, home, path } = shop;
  const isFirst = cursor === undefined;
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
