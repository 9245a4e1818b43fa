import type { PortabilityContext } from "./context.ts";
import { filePrefixOf, type PortabilityJob } from "./job.ts";

/** R2's limit for one listing and for one deletion. */
const maxObjectsPerCall = 1_000;

/** The objects that a job's file consists of, in the order of their numbers. */
export const partFiles = ({ files }: Pick<PortabilityContext, "files">, job: PortabilityJob) => {
  const keyOf = (number: number, version: number): string =>
    `${filePrefixOf(job)}${number}-${version}`;

  return {
    /** Stores a part. A repeat by another run has another key. */
    put: (number: number, version: number, bytes: Uint8Array) =>
      files.put(keyOf(number, version), bytes),

    /** @throws Error when the part is missing. */
    async get(number: number, version: number): Promise<R2ObjectBody> {
      const part = await files.get(keyOf(number, version));
      if (part) return part;
      throw new Error(`Part ${number} of ${job.id} is missing.`);
    },

    /** Deletes up to 1,000 parts; returns whether none is left. */
    async deleteSome(): Promise<boolean> {
      const { objects } = await files.list({ prefix: filePrefixOf(job), limit: maxObjectsPerCall });
      if (objects.length === 0) return true;
      await files.delete(objects.map(({ key }) => key));
      return objects.length < maxObjectsPerCall;
    },
  };
};
