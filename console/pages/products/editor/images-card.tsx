import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useShop } from "../../../api/shop.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { FileDrop } from "../../../ui/file-drop.tsx";
import { Thumbnail } from "../../../ui/thumbnail.tsx";
import { useToasts } from "../../../ui/toast.tsx";
import { useChange } from "../../../ui/use-change.ts";
import type { ProductRecord } from "../product.tsx";

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
  const { api, can } = useShop();
  const change = useChange();
  const { state, upload } = useUpload(productId);
  const mayWrite = can("catalogue:write");
  return (
    <Card title="Images">
      <FileDrop
        {...imageDrop}
        isBusy={state !== null}
        isDisabled={!mayWrite}
        onFiles={(files) => void upload(files)}
      >
        {images.length > 0 && (
          <ul className="image-grid">
            {images.map((image, position) => (
              <li key={image.id}>
                <Thumbnail url={image.url} alt={`${name}, image ${position + 1}`} isLarge />
                <div className="row apart">
                  {image.is_primary ? (
                    <span className="small muted">Shown first</span>
                  ) : (
                    <IconButton
                      icon="star"
                      label={`Show image ${position + 1} first`}
                      disabled={!mayWrite || change.isBusy}
                      onClick={() =>
                        void change.run(
                          () => api.products.updateImage(productId, image.id, { is_primary: true }),
                          "The image is shown first.",
                        )
                      }
                    />
                  )}
                  <IconButton
                    icon="trash"
                    label={`Remove image ${position + 1}`}
                    disabled={!mayWrite || change.isBusy}
                    onClick={() =>
                      void change.run(
                        () => api.products.removeImage(productId, image.id),
                        "The image is removed.",
                      )
                    }
                  />
                </div>
              </li>
            ))}
          </ul>
        )}
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
