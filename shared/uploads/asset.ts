import type { Upload } from "./upload.ts";

/** A storefront asset: a file that anybody may read, at a path that was known from the start. */
export type Asset = Upload & Readonly<{ folderPath: string; path: string }>;

/** What the list can be narrowed to; null: all. */
export type AssetFilter = Readonly<{ folder: string | null; mimePrefix: string | null }>;
