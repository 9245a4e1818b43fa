const token = "[!#$%&'*+.^_`|~\\w-]+";
const mediaType = new RegExp(`^${token}/${token}[ \\t]*(?:;[\\x20-\\x7e]*)?$`);

/** Whether it can stand in a Content-Type header: type, subtype, and parameters in visible ASCII. */
export const isMediaType = (text: string): boolean => mediaType.test(text);

/** A media type without its parameters, in small letters. */
export const essenceOf = (contentType: string): string =>
  (contentType.split(";")[0] ?? "").trim().toLowerCase();

const passive = /^(?:image\/(?!svg)[^;]*|audio\/.*|video\/.*|font\/.*|application\/pdf)$/;

/**
 * Whether a browser merely shows it. Whatever else it might run as a page, with scripts in it (HTML,
 * SVG, XML), or is unknown.
 */
export const isPassive = (contentType: string): boolean => passive.test(essenceOf(contentType));
