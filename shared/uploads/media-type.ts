const token = "[!#$%&'*+.^_`|~\\w-]+";
const mediaType = new RegExp(`^${token}/${token}[ \\t]*(?:;[\\x20-\\x7e]*)?$`);

/** Whether the text is valid in a Content-Type header: type, subtype and ASCII parameters. */
export const isMediaType = (text: string): boolean => mediaType.test(text);

/** The Content-Type that a file is stored and served with: its declared one if that is a media type. */
export const servedMediaType = (declared: string): string =>
  isMediaType(declared) ? declared : "application/octet-stream";

/** The media type without parameters, in lower case. */
export const baseMediaType = (contentType: string): string =>
  (contentType.split(";")[0] ?? "").trim().toLowerCase();

const displayableTypes = /^(?:(?:image|audio|video|font)\/.*|application\/pdf)$/;
const markupTypes = /^image\/svg|\+xml$/;

/**
 * Whether a browser displays a file of this type without running scripts in it, unlike HTML, SVG
 * and other XML. A browser uses the last valid type of a list separated by commas, so all of them
 * must be safe.
 */
export const isSafeToDisplayInline = (contentType: string): boolean =>
  contentType
    .split(",")
    // A later part without a slash is no type: the comma was inside a parameter.
    .filter((part, index) => index === 0 || part.includes("/"))
    .map(baseMediaType)
    .every((type) => displayableTypes.test(type) && !markupTypes.test(type));
