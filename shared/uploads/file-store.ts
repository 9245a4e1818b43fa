import { unavailable } from "../kernel/index.ts";

/** The operations of R2 that files need. */
export type FileStore = Pick<R2Bucket, "put" | "head" | "get" | "list" | "delete">;

/**
 * Wraps R2 so that an outage becomes SERVICE_UNAVAILABLE (retryable). A body of the wrong length is
 * not an outage and is thrown unchanged.
 */
export const createFileStore = (bucket: FileStore): FileStore => ({
  put: (...args: Parameters<FileStore["put"]>) =>
    bucket.put(...args).catch((error) => {
      throw isLengthMismatch(error) ? error : outageRefusal();
    }),
  head: (key) => bucket.head(key).catch(throwOutage),
  get: (...args: Parameters<FileStore["get"]>) => bucket.get(...args).catch(throwOutage),
  list: (options) => bucket.list(options).catch(throwOutage),
  delete: (keys) => bucket.delete(keys).catch(throwOutage),
});

/** Whether a FixedLengthStream failed because it received too many or too few bytes. */
export const isLengthMismatch = (error: unknown): boolean =>
  error instanceof TypeError && error.message.includes("FixedLengthStream");

const outageRefusal = () => unavailable("The file store did not respond. Try again.");

function throwOutage(): never {
  throw outageRefusal();
}
