import { type ClientRequest, request } from "node:http";
import { asRecord, asText, createApiClient, ownConnection } from "./api-client.ts";
import type { BenchOptions } from "./options.ts";
import { formatRateTable } from "./report.ts";
import type { BenchResult, Round } from "./results.ts";
import { type BenchRuntime, operatorToken } from "./runtime.ts";
import { memoryMbOf } from "./workerd-process.ts";

const mib = 1_024 * 1_024;
const sizeBytes = 50 * mib;
const chunk = Buffer.alloc(64 * 1_024, "0123456789abcdef");
const sampleMs = 20;

/** In the order in which a round measures them: the last three use the same file. */
export const uploadRowNames = [
  "uploads: one PUT of 50 MiB",
  "uploads: four PUTs in parallel",
  "uploads: a PUT aborted half-way",
  "uploads: the aborted PUT repeated",
  "uploads: one GET",
] as const;

type UploadRowName = (typeof uploadRowNames)[number];
type Transfer = Readonly<{ rate: number; memoryMb: Readonly<{ before: number; max: number }> }>;

/**
 * Measures the rate and workerd's memory during uploads and a download of the largest asset. Files
 * are streamed, so memory must not grow with their size or number. An aborted upload can be
 * repeated.
 */
export async function measureUploads(
  { origin, processIds }: BenchRuntime,
  { rounds }: Pick<BenchOptions, "rounds">,
): Promise<{ table: string; results: BenchResult[] }> {
  const assets = await createAssetClient(origin);
  await uploadFile(await assets.reserve("warm-up"), sizeBytes);
  const measured: Record<UploadRowName, Transfer>[] = [];
  for (let round = 0; round < rounds; round += 1)
    measured.push(await measureRound(assets, processIds()));
  const results = uploadRowNames.map((name) =>
    resultFor(
      name,
      measured.map((transfers) => transfers[name]),
    ),
  );
  const memory = (which: "before" | "max") => ({
    head: `RSS ${which} MB`,
    cell: ({ memoryMb }: BenchResult) => memoryMb?.[which].toFixed(0) ?? "",
  });
  return {
    table: formatRateTable("files of 50 MiB", results, [memory("before"), memory("max")]),
    results,
  };
}

async function measureRound(
  assets: AssetClient,
  processIds: readonly number[],
): Promise<Record<UploadRowName, Transfer>> {
  const measure = (files: number, transfer: () => Promise<void>) =>
    measureTransfer(processIds, files, transfer);
  const aborted = await assets.reserve("aborted");
  return {
    "uploads: one PUT of 50 MiB": await measure(1, async () =>
      uploadFile(await assets.reserve("one"), sizeBytes),
    ),
    "uploads: four PUTs in parallel": await measure(4, async () => {
      const uploads = await Promise.all(["a", "b", "c", "d"].map(assets.reserve));
      await Promise.all(uploads.map((upload) => uploadFile(upload, sizeBytes)));
    }),
    "uploads: a PUT aborted half-way": await measure(0.5, () => abortUpload(aborted)),
    "uploads: the aborted PUT repeated": await measure(1, () => uploadFile(aborted, sizeBytes)),
    "uploads: one GET": await measure(1, async () => downloadFile(await assets.confirm(aborted))),
  };
}

const resultFor = (name: string, transfers: readonly Transfer[]): BenchResult => ({
  name,
  unit: "MiB/s",
  rounds: transfers.map(({ rate }): Round => ({ rate, p50Ms: null, p99Ms: null })),
  errors: [],
  memoryMb: {
    before: transfers[0]?.memoryMb.before ?? 0,
    max: Math.max(...transfers.map(({ memoryMb }) => memoryMb.max)),
  },
});

type PendingUpload = Readonly<{ uploadId: string; uploadUrl: string; publicUrl: string }>;

type AssetClient = Awaited<ReturnType<typeof createAssetClient>>;

async function createAssetClient(origin: URL) {
  const businesses = `${origin.origin}/v1/businesses`;
  const operator = createApiClient(businesses, { Authorization: `Bearer ${operatorToken}` });
  const created = await operator.post("", {
    name: "Files",
    mode: "test",
    currency: "GHS",
    default_country: "GH",
    timezone: "Africa/Accra",
  });
  const assetsUrl = `${businesses}/${asText(asRecord(created.business).id)}/assets`;
  const headers = {
    Authorization: `Bearer ${asText(asRecord(created.keys).deploy)}`,
    "Content-Type": "application/json",
    ...ownConnection,
  };
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${assetsUrl}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return asRecord(await response.json());
  };
  return {
    async reserve(filename: string): Promise<PendingUpload> {
      const file = { filename, content_type: "video/mp4", size_bytes: sizeBytes };
      const data = asRecord((await post("/init", file)).data);
      return {
        uploadId: asText(data.upload_id),
        uploadUrl: asText(data.upload_url),
        publicUrl: asText(data.public_url_preview),
      };
    },
    /** Publishes an uploaded file and returns its URL. */
    async confirm({ uploadId, publicUrl }: PendingUpload): Promise<string> {
      await post("/confirm", { upload_id: uploadId });
      return publicUrl;
    },
  };
}

async function uploadFile({ uploadUrl }: PendingUpload, bytes: number): Promise<void> {
  const { outgoing, response } = startPut(uploadUrl);
  const status = await Promise.race([response, writeChunks(outgoing, bytes).then(() => response)]);
  if (status !== 200) throw new Error(`PUT: ${status}`);
}

async function abortUpload({ uploadUrl }: PendingUpload): Promise<void> {
  const { outgoing, response } = startPut(uploadUrl);
  // An aborted request gets no response, which is not an error here.
  response.catch(() => {});
  await writeChunks(outgoing, sizeBytes / 2);
  outgoing.destroy();
}

/** Starts a PUT. `response` resolves with the status of the response. */
function startPut(url: string): { outgoing: ClientRequest; response: Promise<number> } {
  const outgoing = request(url, {
    method: "PUT",
    // Opens a new connection, because the server may be closing an idle one.
    agent: false,
    headers: { "Content-Type": "video/mp4", "Content-Length": sizeBytes },
  });
  const response = new Promise<number>((resolve, reject) => {
    outgoing.once("error", reject).once("response", (incoming) => {
      incoming.resume().once("end", () => resolve(incoming.statusCode ?? 0));
    });
  });
  return { outgoing, response };
}

async function writeChunks(outgoing: ClientRequest, bytes: number): Promise<void> {
  for (let sent = 0; sent < bytes; sent += chunk.length) {
    if (outgoing.write(chunk)) continue;
    await new Promise((resolve) => outgoing.once("drain", resolve));
  }
  if (bytes === sizeBytes) outgoing.end();
}

async function downloadFile(url: string): Promise<void> {
  const { body, status } = await fetch(url, { headers: ownConnection });
  let bytes = 0;
  for await (const part of body ?? []) bytes += part.length;
  if (status !== 200 || bytes !== sizeBytes) throw new Error(`GET: ${status}, ${bytes} bytes`);
}

/**
 * @param files how many files of `sizeBytes` are transferred; half of an aborted one counts as 0.5.
 */
async function measureTransfer(
  processIds: readonly number[],
  files: number,
  transfer: () => Promise<void>,
): Promise<Transfer> {
  const before = memoryMbOf(processIds);
  let max = before;
  const sampling = setInterval(() => {
    max = Math.max(max, memoryMbOf(processIds));
  }, sampleMs);
  const started = performance.now();
  try {
    await transfer();
  } finally {
    clearInterval(sampling);
  }
  const seconds = (performance.now() - started) / 1_000;
  return { rate: (files * sizeBytes) / mib / seconds, memoryMb: { before, max } };
}
