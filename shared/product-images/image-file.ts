import { invalid } from "../kernel/index.ts";

export const maxImageBytes = 20 * 1024 * 1024;

/** Formats that every browser shows. SVG is not one of them, because it can contain scripts. */
const imageFormats = [
  {
    name: "JPEG",
    contentType: "image/jpeg",
    extension: "jpg",
    isStart: (start: string) => start.startsWith("\xff\xd8\xff"),
  },
  {
    name: "PNG",
    contentType: "image/png",
    extension: "png",
    isStart: (start: string) => start.startsWith("\x89PNG\r\n\x1a\n"),
  },
  {
    name: "GIF",
    contentType: "image/gif",
    extension: "gif",
    isStart: (start: string) => start.startsWith("GIF87a") || start.startsWith("GIF89a"),
  },
  {
    name: "WebP",
    contentType: "image/webp",
    extension: "webp",
    isStart: (start: string) => start.startsWith("RIFF") && start.startsWith("WEBP", 8),
  },
  {
    name: "AVIF",
    contentType: "image/avif",
    extension: "avif",
    isStart: (start: string) => start.startsWith("ftypavif", 4) || start.startsWith("ftypavis", 4),
  },
] as const;

export type ImageFormat = (typeof imageFormats)[number];

/** The bytes of an image whose format was recognized. */
export type ImageFile = Readonly<{ bytes: Blob; format: ImageFormat }>;

const recognizedBytes = 12;

/**
 * The format of an image, from its first bytes. What the sender calls the file does not count.
 *
 * @throws Refusal VALIDATION_ERROR for bytes that are no image.
 */
export async function requireImage(bytes: Blob): Promise<ImageFile> {
  const start = new Uint8Array(await bytes.slice(0, recognizedBytes).arrayBuffer());
  const text = String.fromCharCode(...start);
  const format = imageFormats.find(({ isStart }) => isStart(text));
  if (format) return { bytes, format };
  const names = imageFormats.map(({ name }) => name);
  throw invalid("file", `is no image; send one of ${names.join(", ")}`);
}
