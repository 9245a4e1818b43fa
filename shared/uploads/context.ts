import type { Context } from "../database/index.ts";
import type { FileStore } from "./file-store.ts";

/** A business's shard and id, which is all that the repositories need. */
export type UploadRepoContext = Pick<Context, "db"> &
  Readonly<{ business: Readonly<{ id: string }> }>;

/** Access to a business's files. A signed URL allows it, so there is no known caller. */
export type FileContext = UploadRepoContext & Pick<Context, "now"> & Readonly<{ files: FileStore }>;

/** The context of a known caller, with the file store. */
export type UploadContext = Context & Readonly<{ files: FileStore }>;
