import type { Upload } from "./upload.ts";

/** A public file of a storefront. Its path is known before its bytes arrive. */
export type Asset = Upload & Readonly<{ folderPath: string; path: string }>;

/** Selects the assets of a list. Null means no restriction. */
export type AssetFilter = Readonly<{ folder: string | null; mimePrefix: string | null }>;

/** Whether a folder or filename is valid (docs/contract/business.md#asset-fields). */
export const isSafePath = (text: string): boolean =>
  !/\.\.|[\\\r\n]/.test(text) && text.isWellFormed() && !splitPath(text).includes(".");

/** The folder without leading, trailing and repeated slashes. */
export const normalizeFolder = (folder: string): string => splitPath(folder).join("/");

/** The public path of an asset within its business. Null when the filename names no file. */
export function toAssetPath(folderPath: string, filename: string): string | null {
  const segments = splitPath(filename);
  return segments.length === 0 || filename.endsWith("/")
    ? null
    : [...splitPath(folderPath), ...segments].join("/");
}

/** The path with each segment percent-encoded for a URL. */
export const encodePath = (path: string): string =>
  path.split("/").map(encodeURIComponent).join("/");

/** The inverse of `encodePath`; null for invalid percent-encoding. */
export function decodePath(encoded: string): string | null {
  try {
    return encoded.split("/").map(decodeURIComponent).join("/");
  } catch {
    return null; // Not a result of `encodePath`.
  }
}

const splitPath = (path: string): string[] => path.split("/").filter((segment) => segment !== "");
