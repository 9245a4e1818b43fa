import { commit } from "../database/index.ts";
import { invalid } from "../kernel/index.ts";
import type { Asset } from "./asset.ts";
import { assetPathOf, folderPathOf } from "./asset-path.ts";
import type { UploadContext } from "./context.ts";
import { uploadRepo } from "./repo.ts";
import { lifeFrom, notYet } from "./reserve-upload.ts";
import type { DeclaredFile } from "./upload.ts";

/**
 * Keeps a place for a storefront asset; its public path is known from here on (interface.md,
 * POST /assets/init). What is there now stays until this one is confirmed.
 *
 * @throws Refusal VALIDATION_ERROR for a filename that names no file.
 */
export async function reserveAsset(
  ctx: Omit<UploadContext, "files">,
  { folder, ...file }: DeclaredFile & Readonly<{ folder: string }>,
): Promise<Asset> {
  const folderPath = folderPathOf(folder);
  const path = assetPathOf(folderPath, file.filename);
  if (path === null) throw invalid("filename", "must name a file");
  const row = {
    ...file,
    ...lifeFrom(ctx.now()),
    id: ctx.newId("up"),
    visibility: "public",
    sessionId: null,
    customerId: null,
    folderPath,
    path,
  } as const;
  await commit(ctx, { writes: [uploadRepo(ctx).insert(row)] });
  return { ...row, ...notYet };
}
