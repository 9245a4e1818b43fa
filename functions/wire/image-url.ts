/** Where callers reach this service and its published files from outside. */
export type PublicAddress = Readonly<{ origin: string; cdnUrl: string }>;

/**
 * An image's URL for a caller on any host. A stored image may be a path of this service.
 *
 * @param address null returns the image as its merchant wrote it.
 */
export function imageUrlAt<U extends string | null>(
  address: PublicAddress | null,
  url: U,
): U | string {
  if (address === null || !url?.startsWith("/")) return url;
  const { origin, cdnUrl } = address;
  return url.startsWith("/cdn/") ? `${cdnUrl}${url.slice("/cdn".length)}` : `${origin}${url}`;
}
