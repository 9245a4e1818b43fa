import { env } from "cloudflare:workers";

/** The bytes and metadata of each file, by key. */
export type StoredFiles = ReadonlyMap<string, StoredFile>;

type StoredFile = Readonly<{ etag: string; bytes: ArrayBuffer; options: R2PutOptions }>;

/** Reads and restores files stored from now on; other tests of the worker have left files. */
export async function createFileSnapshots() {
  const others = new Set((await env.FILES.list()).objects.map(({ key }) => key));
  const known = new Map<string, StoredFile>();

  async function readFile(key: string, etag: string): Promise<StoredFile | null> {
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
    async read(): Promise<StoredFiles> {
      const { objects } = await env.FILES.list();
      const files = new Map<string, StoredFile>();
      for (const { key, etag } of objects) {
        const file = others.has(key) ? null : await readFile(key, etag);
        if (file !== null) files.set(key, file);
      }
      return files;
    },

    async restore(before: StoredFiles, after: StoredFiles): Promise<void> {
      for (const key of after.keys()) if (!before.has(key)) await env.FILES.delete(key);
      for (const [key, { etag, bytes, options }] of before)
        if (after.get(key)?.etag !== etag) await env.FILES.put(key, bytes, options);
    },
  };
}
