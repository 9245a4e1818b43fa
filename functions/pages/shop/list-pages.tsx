import type { Child } from "hono/jsx";
import type { PageContext } from "../env.ts";
import { notFoundPage } from "../http/page-error.ts";
import { respondWithPage } from "../http/respond.tsx";
import { ShopDocument } from "../parts/layout.tsx";
import { type ListedProduct, ProductGrid } from "../parts/product-grid.tsx";
import { loadCartCount } from "./cart-count.ts";
import { openShop, type VisitedShop } from "./open-shop.ts";
import { MoreLink, readCursor, SortForm, sortOf } from "./sorting.tsx";

const pageSize = 24;

/** The products of a category and of those below it. */
export async function respondWithCategory(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const slug = c.req.param("category") ?? "";
  const cursor = readCursor(c);
  const sort = sortOf(c.req.query("sort"));
  const [{ data: categories }, products, cartCount] = await Promise.all([
    shop.api.categories.list(),
    shop.api.products
      .list({ ...sort.query, category_slug: slug, ...(cursor && { cursor }), limit: pageSize })
      .page(),
    loadCartCount(shop),
  ]);
  const category = categories.find((one) => one.slug === slug);
  if (category === undefined) throw notFoundPage("This category does not exist any more.");
  const parent = categories.find(({ id }) => id === category.parent_id);
  const children = categories.filter(
    ({ parent_id: id, product_count: count }) => id === category.id && count > 0,
  );
  const pathOf = (one: string) => `${shop.path}/categories/${encodeURIComponent(one)}`;
  const path = pathOf(slug);
  const page = (
    <ShopDocument
      shop={shop}
      cartCount={cartCount}
      facts={{
        title: category.name,
        description: `${category.name} from ${shop.business.name}.`,
        canonicalPath: path,
        imageUrl: category.image_url,
      }}
    >
      <nav class="trail" aria-label="Where you are">
        <a href={shop.home}>{shop.business.name}</a>
        {parent && <a href={pathOf(parent.slug)}>{parent.name}</a>}
      </nav>
      <div class="list-head">
        <h1>{category.name}</h1>
        <SortForm action={path} sort={sort.value} />
      </div>
      {children.length > 0 && (
        <nav class="chips" aria-label="Categories">
          {children.map((child) => (
            <a href={pathOf(child.slug)}>{child.name}</a>
          ))}
        </nav>
      )}
      <Results shop={shop} products={products.items}>
        <p class="empty">There is nothing in this category at the moment.</p>
      </Results>
      <MoreLink path={path} cursor={products.nextCursor} sort={sort.value} />
    </ShopDocument>
  );
  const isListed = cursor === undefined && sort.isUsual;
  return respondWithPage(c, page, { isPublic: !shop.hasSession(), isListed });
}

/** The products that a search finds. */
export async function respondWithSearch(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const text = (c.req.query("q") ?? "")
    .toWellFormed()
    .replace(/\p{Cc}/gu, " ")
    .trim()
    .slice(0, 200);
  const cursor = readCursor(c);
  const [products, cartCount] = await Promise.all([
    text === ""
      ? { items: [], nextCursor: null }
      : shop.api.products.list({ search: text, ...(cursor && { cursor }), limit: pageSize }).page(),
    loadCartCount(shop),
  ]);
  const page = (
    <ShopDocument
      shop={shop}
      cartCount={cartCount}
      searchText={text}
      facts={{ title: text === "" ? "Search" : `Search: ${text}` }}
    >
      <h1>{text === "" ? "Search" : `Results for “${text}”`}</h1>
      <Results shop={shop} products={products.items}>
        <p class="empty">
          {text === ""
            ? "Enter what you are looking for."
            : "Nothing matches. Try fewer or other words."}{" "}
          <a href={shop.home}>See all products</a>
        </p>
      </Results>
      <MoreLink
        path={`${shop.path}/search`}
        cursor={products.nextCursor}
        sort="newest"
        filters={{ q: text }}
      />
    </ShopDocument>
  );
  return respondWithPage(c, page, { isPublic: !shop.hasSession() });
}

type ResultsProps = Readonly<{
  shop: VisitedShop;
  products: readonly ListedProduct[];
  children?: Child;
}>;

/** The products, or what to do when there are none. */
const Results = ({ shop, products, children }: ResultsProps) =>
  products.length === 0 ? children : <ProductGrid shop={shop} products={products} heading="h2" />;
