import type { Context } from "../database/index.ts";
import type { FileStore } from "./file-store.ts";

/** A business's shard and id, which is all that the repositories need. */
export type UploadRepoContext = Pick<Context, "db"> &
  Readonly<{ business: Readonly<{ id: string }> }>;

/** Access to a business's files by a signed URL, without a known caller. */
export type FileContext = UploadRepoContext & Pick<Context, "now"> & Readonly<{ files: FileStore }>;

/** A caller's context with the file store. */
export type UploadContext = Context & Readonly<{ files: FileStore }>;
