/** No way up, no backslash, no second line (interface.md, POST /assets/init), and nothing that has no UTF-8. */
export const isPathText = (text: string): boolean =>
  !/\.\.|[\\\r\n]/.test(text) && text.isWellFormed() && !segmentsOf(text).includes(".");

/** A folder as it is kept and asked for: no slash in front, behind, or twice. */
export const folderPathOf = (folder: string): string => segmentsOf(folder).join("/");

/** Where the public finds an asset, below its business; null when nothing is left of the file's name. */
export function assetPathOf(folderPath: string, filename: string): string | null {
  const named = segmentsOf(filename);
  return named.length === 0 || filename.endsWith("/")
    ? null
    : [...segmentsOf(folderPath), ...named].join("/");
}

/** A path as it stands in an address: each of its names encoded, so that no sign of them means anything there. */
export const encodedPath = (path: string): string =>
  path.split("/").map(encodeURIComponent).join("/");

/** The path that an address names; null when it names none. */
export function decodedPath(encoded: string): string | null {
  try {
    return encoded.split("/").map(decodeURIComponent).join("/");
  } catch {
    return null; // a stray percent sign: no address of ours has one
  }
}

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");
