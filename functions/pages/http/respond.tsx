import type { PageContext } from "../env.ts";
import { styleFolder } from "../theme/style-routes.ts";

type Html = string | Promise<string> | Readonly<{ toString(): string | Promise<string> }>;

type PageOptions = Readonly<{
  status?: 200 | 400 | 403 | 404 | 408 | 409 | 410 | 413 | 422 | 429 | 500 | 503;
  /**
   * Whether the page is the same for everybody: without a cart, a session and a form. Caches keep
   * it for a moment.
   */
  isPublic?: boolean;
  /** Whether search engines may list it. */
  isListed?: boolean;
  /** Whether it runs a script of the service's own. */
  hasScript?: boolean;
}>;

const imageSource = /<img [^>]*?src="(https?:\/\/[^"/]+)/g;
/** Characters that cannot end a directive of the policy. */
const plainOrigin = /^https?:\/\/[\w.:[\]-]+$/;

/** Responds with a page and the headers of every page (docs/contract/storefront.md#hosted-pages). */
export async function respondWithPage(
  c: PageContext,
  page: Html,
  { status = 200, isPublic = false, isListed = false, hasScript = false }: PageOptions = {},
): Promise<Response> {
  const html = `<!doctype html>${await page.toString()}`;
  const { origin } = new URL(c.req.url);
  const images = new Set([...html.matchAll(imageSource)].map(([, source = ""]) => source));
  const policy = [
    "default-src 'none'",
    `style-src ${origin}${styleFolder}`,
    `img-src ${["'self'", ...[...images].filter((image) => plainOrigin.test(image))].join(" ")}`,
    ...(hasScript ? [`script-src ${origin}${styleFolder}`, "connect-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  c.header("Content-Security-Policy", policy.join("; "));
  c.header("Content-Type", "text/html; charset=UTF-8");
  c.header("X-Content-Type-Options", "nosniff");
  // Addresses of orders contain tokens, which no other site may see.
  c.header("Referrer-Policy", "same-origin");
  c.header("Cache-Control", isPublic ? "public, max-age=30" : "private, no-store");
  if (isPublic) c.header("Vary", "Cookie");
  if (!isListed) c.header("X-Robots-Tag", "noindex, nofollow");
  if (origin.startsWith("https:")) c.header("Strict-Transport-Security", "max-age=31536000");
  return c.body(html, status);
}

/** Responds with a part of a page, which its script adds to it. */
export async function respondWithFragment(c: PageContext, part: Html): Promise<Response> {
  return c.body(String(await part.toString()), 200, {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Content-Type": "text/html; charset=UTF-8",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
  });
}

/** Leads to a page after a form, so that loading that page again sends nothing twice. */
export function redirectTo(c: PageContext, path: string): Response {
  c.header("Cache-Control", "no-store");
  return c.redirect(path, 303);
}
