import { useState } from "react";
import { Icon } from "./icon.tsx";

type ThumbnailProps = Readonly<{
  url: string | null;
  isLarge?: boolean;
  /** What the image shows. Left out where the text beside it says so. */
  alt?: string;
}>;

/**
 * A small image, or a drawing in its place when there is none or it cannot be shown: the console
 * shows no images of other hosts.
 */
export function Thumbnail({ url, isLarge = false, alt = "" }: ThumbnailProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const className = isLarge ? "thumb large" : "thumb";
  if (url === null || url === failedUrl) {
    return (
      <span className={`${className} none`}>
        <Icon name="image" />
        {alt && <span className="visually-hidden">{alt}</span>}
      </span>
    );
  }
  return (
    <img
      className={className}
      src={url}
      alt={alt}
      loading="lazy"
      onError={() => setFailedUrl(url)}
    />
  );
}
