import { env } from "cloudflare:workers";

/** The bytes of each file, with what is known of them, by its key. */
export type Files = ReadonlyMap<string, Kept>;

type Kept = Readonly<{ etag: string; bytes: ArrayBuffer; options: R2PutOptions }>;

/** Reads and restores the files that are put from now on: a worker's other tests have left theirs. */
export async function fileKeeper() {
  const others = new Set((await env.FILES.list()).objects.map(({ key }) => key));
  const known = new Map<string, Kept>();

  async function kept(key: string, etag: string): Promise<Kept | null> {
    const before = known.get(key);
    if (before?.etag === etag) return before;
    const file = await env.FILES.get(key);
    if (file === null) return null;
    const { httpMetadata, customMetadata } = file;
    const options = {
      ...(httpMetadata && { httpMetadata }),
      ...(customMetadata && { customMetadata }),
    };
    const read = { etag, bytes: await file.arrayBuffer(), options };
    known.set(key, read);
    return read;
  }

  return {
    async read(): Promise<Files> {
      const { objects } = await env.FILES.list();
      const files = new Map<string, Kept>();
      for (const { key, etag } of objects) {
        const file = others.has(key) ? null : await kept(key, etag);
        if (file !== null) files.set(key, file);
      }
      return files;
    },

    async restore(before: Files, after: Files): Promise<void> {
      for (const key of after.keys()) if (!before.has(key)) await env.FILES.delete(key);
      for (const [key, { etag, bytes, options }] of before)
        if (after.get(key)?.etag !== etag) await env.FILES.put(key, bytes, options);
    },
  };
}
