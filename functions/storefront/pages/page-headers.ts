type PageHeaders = Readonly<{
  /** The page's style element, as it stands in the document. */
  style: string;
  /** Other origins to which a form may lead. */
  formOrigins?: readonly string[];
}>;

/**
 * The security headers of a page without scripts. They forbid scripts, frames and content of other
 * sites, keep the address of the page from other sites, and keep it out of caches and search
 * engines.
 */
export async function pageHeaders({
  style,
  formOrigins = [],
}: PageHeaders): Promise<Record<string, string>> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
  const styleHash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return {
    "Content-Security-Policy": [
      "default-src 'none'",
      `style-src 'sha256-${styleHash}'`,
      `form-action ${["'self'", ...new Set(formOrigins)].join(" ")}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join("; "),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow",
    "Cache-Control": "no-store",
  };
}
