import { unavailable } from "../kernel/index.ts";

/** Where the bytes lie: of R2, what files need. */
export type FileStore = Pick<R2Bucket, "put" | "head" | "get" | "delete">;

/**
 * R2, whose outages read as 503 (retryable) instead of as a bug; a body that broke off or is of another
 * length is none.
 */
export const openFiles = (bucket: FileStore): FileStore => ({
  put: (...args: Parameters<FileStore["put"]>) =>
    bucket.put(...args).catch((error) => {
      throw isWrongLength(error) ? error : outage();
    }),
  head: (key) => bucket.head(key).catch(refuse),
  get: (...args: Parameters<FileStore["get"]>) => bucket.get(...args).catch(refuse),
  delete: (keys) => bucket.delete(keys).catch(refuse),
});

/** With these words a FixedLengthStream tells of too many bytes, and of too few. */
export const isWrongLength = (error: unknown): boolean =>
  error instanceof TypeError && error.message.includes("FixedLengthStream");

const outage = () => unavailable("The file store did not answer; try again.");

function refuse(): never {
  throw outage();
}
