import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { VisitedShop } from "../shop/open-shop.ts";
import { iconPath, stylePath, themePath } from "../theme/style-routes.ts";
import { Icon } from "./icons.tsx";

/** What a page says to search engines and to sites that show its link. */
export type PageFacts = Readonly<{
  title: string;
  description?: string | undefined;
  /** The page's own path, without filters. Left out for pages that nobody should list. */
  canonicalPath?: string | undefined;
  imageUrl?: string | null | undefined;
  type?: "website" | "product";
  /** The script that the page works without. */
  scriptPath?: string;
  /** Structured data of schema.org. */
  data?: object | undefined;
}>;

type ShopPage = Readonly<{
  shop: VisitedShop;
  facts: PageFacts;
  /** The units in the cart; null for a visitor without one. */
  cartCount?: number | null;
  searchText?: string;
  children?: Child;
}>;

/** A page of a shop with its head and foot. */
export const ShopDocument = ({
  shop,
  facts,
  cartCount = null,
  searchText = "",
  children,
}: ShopPage) => {
  const { business, home, path } = shop;
  return (
    <Document shop={shop} facts={facts} accent={business.appearance.accent_color}>
      <header class="head">
        {shop.isTest && (
          <p class="test-mode">Test shop: orders are not real, and no money moves.</p>
        )}
        <div class="wrap">
          <a class="brand" href={home}>
            {business.appearance.logo_url === null ? (
              business.name
            ) : (
              <img src={business.appearance.logo_url} alt={business.name} height="40" />
            )}
          </a>
          <form class="search" action={`${path}/search`}>
            <label class="visually-hidden" for="q">
              Search products
            </label>
            <input
              id="q"
              name="q"
              type="search"
              maxlength={200}
              placeholder="Search"
              value={searchText}
            />
            <button type="submit" aria-label="Search">
              <Icon name="search" />
            </button>
          </form>
          <nav aria-label="Shop">
            <a class="cart-link" href={`${path}/account`}>
              <Icon name="person" />
              <span>Account</span>
            </a>
            <a class="cart-link" href={`${path}/cart`}>
              <Icon name="bag" />
              <span>Cart</span>
              {cartCount !== null && cartCount > 0 && (
                <span class="count">
                  {cartCount}
                  <span class="visually-hidden"> in the cart</span>
                </span>
              )}
            </a>
          </nav>
        </div>
      </header>
      <main id="main" class="wrap">
        {children}
      </main>
      <ShopFooter shop={shop} />
    </Document>
  );
};

const ShopFooter = ({ shop: { business, home, path } }: Readonly<{ shop: VisitedShop }>) => {
  const places = business.locations.filter(
    ({ address }) => address?.street_address || address?.city,
  );
  return (
    <footer class="foot">
      <div class="wrap">
        <div>
          <strong>{business.name}</strong>
          {places.map(({ address }) => (
            <p>{[address?.street_address, address?.city].filter(Boolean).join(", ")}</p>
          ))}
        </div>
        <nav aria-label="More">
          <a href={home}>All products</a>
          <a href={`${path}/cart`}>Cart</a>
          <a href={`${path}/account`}>Your account</a>
          <a href={`${path}/support`}>Ask the shop</a>
        </nav>
      </div>
    </footer>
  );
};

type DocumentProps = Readonly<{
  shop: Pick<VisitedShop, "business" | "origin"> | null;
  facts: PageFacts;
  accent: string | null;
  children?: Child;
}>;

/** The document of every page, also of those without a shop. */
export const Document = ({ shop, facts, accent, children }: DocumentProps) => {
  const name = shop?.business.name;
  const title =
    name === undefined || facts.title === name ? facts.title : `${facts.title} · ${name}`;
  const theme = themePath(accent);
  const address =
    facts.canonicalPath === undefined || shop === null ? null : shop.origin + facts.canonicalPath;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="stylesheet" href={stylePath} />
        {theme !== null && <link rel="stylesheet" href={theme} />}
        <link rel="icon" type="image/svg+xml" href={iconPath} />
        <meta name="color-scheme" content="light dark" />
        {facts.description && <meta name="description" content={facts.description} />}
        {address !== null && (
          <>
            <link rel="canonical" href={address} />
            <meta property="og:url" content={address} />
            <meta property="og:title" content={facts.title} />
            <meta property="og:type" content={facts.type ?? "website"} />
            <meta property="og:site_name" content={name ?? ""} />
            {facts.description && <meta property="og:description" content={facts.description} />}
            {facts.imageUrl && <meta property="og:image" content={facts.imageUrl} />}
          </>
        )}
        {facts.scriptPath && <script src={facts.scriptPath} defer />}
        {facts.data && <script type="application/ld+json">{raw(toInlineJson(facts.data))}</script>}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        {children}
      </body>
    </html>
  );
};

/** JSON that cannot end the element around it. */
const toInlineJson = (data: object): string =>
  JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
