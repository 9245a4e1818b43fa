/** The form in which names, regions and postal codes are compared: without spaces, in upper case. */
export const comparableText = (text: string | null): string =>
  (text ?? "").normalize("NFKC").toUpperCase().replaceAll(/\s+/gu, "");

/** The prefixes of a text up to a length, the longest first and the empty one last. */
export const prefixesOf = (text: string, maxLength: number): string[] => {
  const longest = text.slice(0, maxLength);
  return Array.from({ length: longest.length + 1 }, (_, index) =>
    longest.slice(0, longest.length - index),
  );
};
