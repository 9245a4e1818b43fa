import type { PageContext } from "../env.ts";
import { openShop } from "./open-shop.ts";

/** How many products are listed; a sitemap may have 50,000 addresses. */
const maxProducts = 2_000;
const pageSize = 100;

/** The addresses of a shop for search engines: home, lists and the newest products. */
export async function respondWithSitemap(c: PageContext): Promise<Response> {
  const { api, origin, path } = await openShop(c, c.req.param("slug") ?? "");
  const home = origin + path;
  const [{ data: categories }, { items: collections }] = await Promise.all([
    api.categories.list(),
    api.collections.list({ limit: pageSize }).page(),
  ]);
  const products: string[] = [];
  for await (const { slug, product_type: type } of api.products.list({ limit: pageSize })) {
    products.push(`${type === "service" ? "services" : "products"}/${encodeURIComponent(slug)}`);
    if (products.length === maxProducts) break;
  }
  const addresses = [
    home,
    ...categories.map(({ slug }) => `${home}/categories/${encodeURIComponent(slug)}`),
    ...collections.map(({ slug }) => `${home}/collections/${encodeURIComponent(slug)}`),
    ...products.map((one) => `${home}/${one}`),
  ];
  const entries = addresses.map((address) => `<url><loc>${escapeXml(address)}</loc></url>`);
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("\n")}
</urlset>
`;
  return c.body(text, 200, {
    "Content-Type": "application/xml; charset=UTF-8",
    "Cache-Control": "public, max-age=3600",
    "X-Content-Type-Options": "nosniff",
  });
}

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
