import type { Context } from "../database/index.ts";
import type { FileStore } from "./file-store.ts";

/** What a file may reach: its business's rows, and the bytes. */
export type FileContext = Pick<Context, "db" | "now"> &
  Readonly<{ business: Readonly<{ id: string }>; files: FileStore }>;

/** As a use case sees it whose caller is known. */
export type UploadContext = Context & Readonly<{ files: FileStore }>;
