import {
  imagesBeside,
  maxProductImages,
  merchantCatalogue,
  type Product,
  type ProductImage,
  planProductUpdate,
  productAuditEntry,
} from "../catalogue/index.ts";
import { type Context, commit, retryOnConflict } from "../database/index.ts";
import { invalid, notFound } from "../kernel/index.ts";
import { encodePath, type FileContext, publishAsset, storeAsset } from "../uploads/index.ts";
import type { ImageFile } from "./image-file.ts";

type NewImage = Readonly<{ file: ImageFile; isPrimary: boolean }>;

/**
 * Adds an image to the end of a product's images (docs/contract/business.md#product-image-add). The
 * file is stored as an asset that only the batch of the product makes public, so a crash between
 * the two leaves a file for the purge job and nothing else.
 *
 * @param fileContext writes the asset without marking the request's Idempotency-Key as carried out.
 * @param readImage reads the file. It is called after the product was found.
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR when the product has the maximum of images.
 */
export async function addProductImage(
  ctx: Context,
  productId: string,
  {
    fileContext,
    readImage,
  }: Readonly<{ fileContext: FileContext; readImage: () => Promise<NewImage> }>,
): Promise<ProductImage> {
  const products = merchantCatalogue.productRecordRepo(ctx);
  const found = await products.get(productId);
  assertImagesNotFull(found.product);
  const { file, isPrimary } = await readImage();
  const { contentType, extension } = file.format;
  const id = ctx.newId("up");
  const asset = await storeAsset(fileContext, {
    id,
    folderPath: `products/${productId}`,
    filename: `${id}.${extension}`,
    contentType,
    bytes: file.bytes,
  });
  const image = { url: `/cdn/assets/${ctx.business.id}/${encodePath(asset.path)}`, isPrimary };
  return retryOnConflict(async (attempt) => {
    const record = attempt === 1 ? found : await products.get(productId);
    assertImagesNotFull(record.product);
    const images = [...imagesBeside(record.product.images, image), image];
    const plan = planProductUpdate(ctx, record, { patch: { images }, newCategory: null });
    const publication = publishAsset(ctx, asset);
    await commit(ctx, {
      writes: [...publication.writes, ...plan.change.writes],
      audit: [...publication.audit, productAuditEntry("product.updated", productId, plan)],
      refusals: { ...publication.refusals, ...plan.change.refusals },
    });
    const added = plan.record.product.images.find(({ url }) => url === image.url);
    if (!added) throw notFound("image");
    return added;
  });
}

function assertImagesNotFull({ images }: Product): void {
  if (images.length >= maxProductImages)
    throw invalid("images", `has the maximum of ${maxProductImages}; remove one first`);
}
