import type { PortabilityContext } from "../context.ts";
import type { ExportJob } from "../job.ts";
import { partFiles } from "../part-files.ts";

/** The bytes of a completed export's file, part by part. */
export async function* readExportFile(
  ctx: Pick<PortabilityContext, "files">,
  job: ExportJob,
): AsyncGenerator<Uint8Array> {
  const parts = partFiles(ctx, job);
  for (const [number, version] of job.position.parts.entries()) {
    const part = await parts.get(number, version);
    yield new Uint8Array(await part.arrayBuffer());
  }
}
