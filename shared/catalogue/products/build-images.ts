import type { NewId } from "../../kernel/index.ts";
import type { ProductImage } from "../product.ts";
import { matchEntries } from "./match-entries.ts";
import type { ImageDraft } from "./product-draft.ts";

const imageKeys = [({ url }: { url: string }) => url];

/**
 * A product's images from a merchant's input or a file. An image that matches a previous image by
 * id or URL keeps the previous id.
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function buildImages(
  drafts: readonly ImageDraft[],
  previous: readonly ProductImage[],
  newId: NewId,
): ProductImage[] {
  const matches = matchEntries(drafts, previous, { keys: imageKeys, field: "images" });
  return drafts.map(({ url, isPrimary }, index) => ({
    id: matches[index]?.id ?? newId("img"),
    url,
    isPrimary,
  }));
}

/** The other images of a product. None of them stays primary beside one that becomes primary. */
export const imagesBeside = (
  others: readonly ProductImage[],
  { isPrimary }: Readonly<{ isPrimary?: boolean | undefined }>,
): readonly ProductImage[] =>
  isPrimary ? others.map((image) => ({ ...image, isPrimary: false })) : others;
