const token = "[!#$%&'*+.^_`|~\\w-]+";
const mediaType = new RegExp(`^${token}/${token}[ \\t]*(?:;[\\x20-\\x7e]*)?$`);

/** Whether it can stand in a Content-Type header: type, subtype, and parameters in visible ASCII. */
export const isMediaType = (text: string): boolean => mediaType.test(text);

/** A media type without its parameters, in small letters. */
export const essenceOf = (contentType: string): string =>
  (contentType.split(";")[0] ?? "").trim().toLowerCase();

const shown = /^(?:(?:image|audio|video|font)\/.*|application\/pdf)$/;
const markup = /^image\/svg|\+xml$/;

/**
 * Whether a browser merely shows it. Whatever else it might run as a page, with scripts in it (HTML,
 * SVG, anything of XML), or is unknown. Of types in a row, with commas between them, browsers take
 * the last that they understand (Fetch, "extract a MIME type"): each must be harmless.
 */
export const isPassive = (contentType: string): boolean =>
  contentType
    .split(",")
    .filter((one, index) => index === 0 || one.includes("/"))
    .map(essenceOf)
    .every((essence) => shown.test(essence) && !markup.test(essence));
