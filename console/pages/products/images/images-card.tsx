import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useShop } from "../../../api/shop.ts";
import { Card } from "../../../ui/card.tsx";
import { FileDrop } from "../../../ui/file-drop.tsx";
import { useToasts } from "../../../ui/toast.tsx";
import type { ProductRecord } from "../product.tsx";
import { ImageList } from "./image-list.tsx";

export const imageDrop = {
  label: "Add images",
  accept: "image/jpeg,image/png,image/gif,image/webp,image/avif",
  hint: "Or drop them here. JPEG, PNG, GIF, WebP or AVIF, at most 20 MB each.",
  isMultiple: true,
} as const;

/** A large image takes this long over a slow line. */
const uploadTimeoutMs = 120_000;

type ImagesCardProps = Readonly<{
  productId: string;
  name: string;
  images: ProductRecord["images"];
}>;

/** The images of a product. Each change is stored at once. */
export function ImagesCard({ productId, name, images }: ImagesCardProps) {
  const { can } = useShop();
  const { state, upload } = useUpload(productId);
  return (
    <Card title="Images">
      <FileDrop
        {...imageDrop}
        isBusy={state !== null}
        isDisabled={!can("catalogue:write")}
        onFiles={(files) => void upload(files)}
      >
        {images.length > 0 && <ImageList productId={productId} name={name} images={images} />}
        {state && (
          <p role="status" className="muted">
            Uploading image {state.number} of {state.count}…
          </p>
        )}
      </FileDrop>
    </Card>
  );
}

type UploadState = Readonly<{ number: number; count: number }>;

function useUpload(productId: string) {
  const { id, api } = useShop();
  const toasts = useToasts();
  const queryClient = useQueryClient();
  const [state, setState] = useState<UploadState | null>(null);

  async function upload(files: readonly File[]) {
    for (const [position, file] of files.entries()) {
      setState({ number: position + 1, count: files.length });
      try {
        await api.products.addImage(productId, { file }, { timeout: uploadTimeoutMs });
      } catch (error) {
        toasts.showError(error);
      }
      await queryClient.invalidateQueries({ queryKey: [id] });
    }
    setState(null);
  }

  return { state, upload };
}
