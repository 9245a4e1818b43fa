import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { type FieldState, TextField } from "../../ui/field.tsx";
import { FileDrop } from "../../ui/file-drop.tsx";
import { Thumbnail } from "../../ui/thumbnail.tsx";
import { messageOf } from "../../ui/use-form.ts";

type ImageFieldProps = FieldState<string> &
  Readonly<{
    /** Where an uploaded image is stored among the shop's files. */
    folder: string;
  }>;

/** The address of an image, which an upload fills in. */
export function ImageField({ folder, value, onChange, error }: ImageFieldProps) {
  const { upload, isBusy, uploadError } = useUpload(folder, onChange);
  return (
    <div className="stack">
      <TextField
        label="Address of an image"
        maxLength={2000}
        value={value}
        onChange={onChange}
        error={error ?? uploadError}
      />
      <FileDrop
        label="Upload an image"
        hint="Or drop it here."
        accept="image/*"
        isBusy={isBusy}
        onFiles={([file]) => file && void upload(file)}
      >
        {value !== "" && (
          <div className="image-preview">
            <Thumbnail url={value} alt="The image" isLarge />
          </div>
        )}
      </FileDrop>
    </div>
  );
}

function useUpload(folder: string, onUploaded: (url: string) => void) {
  const { api } = useShop();
  const [isBusy, setIsBusy] = useState(false);
  const [uploadError, setUploadError] = useState<string>();

  async function upload(file: File) {
    setIsBusy(true);
    setUploadError(undefined);
    try {
      const { data: started } = await api.assets.startUpload({
        folder,
        filename: `${crypto.randomUUID()}-${file.name}`,
        content_type: file.type,
        size_bytes: file.size,
      });
      const sent = await fetch(ownAddress(started.upload_url), {
        method: "PUT",
        headers: { "Content-Type": file.type },
        body: file,
      });
      if (!sent.ok) throw new Error("The image did not arrive. Try again.");
      const { data: asset } = await api.assets.confirm({ upload_id: started.upload_id });
      onUploaded(addressFor(asset.url, started.upload_url));
    } catch (thrown) {
      setUploadError(messageOf(thrown));
    } finally {
      setIsBusy(false);
    }
  }

  return { upload, isBusy, uploadError };
}

/** A path when the service serves the image itself; its host may have several names. */
const addressFor = (imageUrl: string, uploadUrl: string): string =>
  new URL(imageUrl).origin === new URL(uploadUrl).origin ? new URL(imageUrl).pathname : imageUrl;

/** The address on this host: the browser sends files to no other. */
function ownAddress(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return pathname + search;
}
