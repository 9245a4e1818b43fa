import { DukaError, NotFoundError, RateLimitedError } from "../../../sdk/src/storefront.ts";

export type PageMessage = Readonly<{
  title: string;
  text: string;
  /** Where the shopper can continue. */
  link?: Readonly<{ href: string; name: string }>;
  /** The slug or id of the shop, for a page whose path does not name it. */
  shop?: string;
}>;

/** Ends a request with a page that says what is wrong. */
export class PageError extends Error {
  readonly status: 400 | 403 | 404 | 408 | 409 | 410 | 413 | 429 | 500 | 503;
  readonly page: PageMessage;

  constructor(status: PageError["status"], page: PageMessage) {
    super(page.title);
    this.status = status;
    this.page = page;
  }
}

export const notFoundPage = (
  text = "The address leads to nothing here. It may have changed.",
): PageError => new PageError(404, { title: "Page not found", text });

/** The page of an error that no form shows; null for a fault of this program. */
export function toPageError(error: unknown): PageError | null {
  if (error instanceof PageError) return error;
  if (error instanceof NotFoundError) return notFoundPage();
  if (error instanceof RateLimitedError) {
    return new PageError(429, {
      title: "Too many requests",
      text: "Wait a moment, then load the page again.",
    });
  }
  if (!(error instanceof DukaError)) return null;
  if (error.status === 403) {
    return new PageError(403, { title: "This shop is closed", text: error.message });
  }
  if (error.status !== 0 && error.status < 500) {
    return new PageError(400, { title: "That did not work", text: error.message });
  }
  return new PageError(503, {
    title: "The shop does not answer",
    text: "Your cart is safe. Load the page again in a moment.",
  });
}
