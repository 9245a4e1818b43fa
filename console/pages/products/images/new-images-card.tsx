import { useEffect, useState } from "react";
import { type Shop, useShop } from "../../../api/shop.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { FileDrop } from "../../../ui/file-drop.tsx";
import { Thumbnail } from "../../../ui/thumbnail.tsx";
import { useToasts } from "../../../ui/toast.tsx";
import { imageDrop } from "./images-card.tsx";

type NewImagesCardProps = Readonly<{
  files: readonly File[];
  onChange: (files: readonly File[]) => void;
}>;

/** Images that are uploaded once their product is created. */
export const NewImagesCard = ({ files, onChange }: NewImagesCardProps) => (
  <Card title="Images">
    <FileDrop {...imageDrop} onFiles={(added) => onChange([...files, ...added])}>
      {files.length > 0 && (
        <ul className="image-grid">
          {files.map((file, position) => (
            <li key={`${file.name} ${file.lastModified}`}>
              <FilePreview file={file} />
              <div className="row apart">
                <span className="small muted">{position === 0 ? "Shown first" : ""}</span>
                <IconButton
                  icon="trash"
                  label={`Remove ${file.name}`}
                  onClick={() => onChange(files.toSpliced(position, 1))}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
    </FileDrop>
  </Card>
);

function FilePreview({ file }: Readonly<{ file: File }>) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return <Thumbnail url={url} alt={file.name} isLarge />;
}

/** Uploads the images of a product that was created just now. */
export function useNewImages(): Readonly<{
  card: NewImagesCardProps;
  upload: (productId: string) => Promise<void>;
}> {
  const { api } = useShop();
  const toasts = useToasts();
  const [files, setFiles] = useState<readonly File[]>([]);
  return {
    card: { files, onChange: setFiles },
    async upload(productId) {
      try {
        await uploadAll(api, productId, files);
      } catch (error) {
        toasts.showError(error); // the product exists, and its page takes the images again
      }
    },
  };
}

async function uploadAll(api: Shop["api"], productId: string, files: readonly File[]) {
  for (const [position, file] of files.entries()) {
    await api.products.addImage(productId, { file, is_primary: position === 0 });
  }
}
