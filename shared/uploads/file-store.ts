import { unavailable } from "../kernel/index.ts";

/** The operations of R2 that files need. */
export type FileStore = Pick<R2Bucket, "put" | "head" | "get" | "delete">;

/** R2 with its outages as SERVICE_UNAVAILABLE (retryable). A body of the wrong length is no outage. */
export const createFileStore = (bucket: FileStore): FileStore => ({
  put: (...args: Parameters<FileStore["put"]>) =>
    bucket.put(...args).catch((error) => {
      throw isLengthMismatch(error) ? error : outageRefusal();
    }),
  head: (key) => bucket.head(key).catch(throwOutage),
  get: (...args: Parameters<FileStore["get"]>) => bucket.get(...args).catch(throwOutage),
  delete: (keys) => bucket.delete(keys).catch(throwOutage),
});

/** Whether a FixedLengthStream failed because it got too many or too few bytes. */
export const isLengthMismatch = (error: unknown): boolean =>
  error instanceof TypeError && error.message.includes("FixedLengthStream");

const outageRefusal = () => unavailable("The file store did not respond. Try again.");

function throwOutage(): never {
  throw outageRefusal();
}
