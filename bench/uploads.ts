import { type ClientRequest, request } from "node:http";
import { asRecord, asText, createApiClient, ownConnection } from "./api-client.ts";
import { formatTable } from "./format-table.ts";
import { operatorToken } from "./runtime.ts";
import { workerdMemoryMb } from "./workerd-process.ts";

const mib = 1_024 * 1_024;
const sizeBytes = 50 * mib;
const chunk = Buffer.alloc(64 * 1_024, "0123456789abcdef");
const sampleMs = 20;

/**
 * Measures the rate and workerd's memory during uploads and a download of the largest asset. Files
 * are streamed, so memory must not grow with their size or number. An aborted upload can be
 * repeated.
 */
export async function measureUploads(origin: URL): Promise<string> {
  const assets = await createAssetClient(origin);
  await uploadFile(await assets.reserve("warm-up"), sizeBytes);
  const aborted = await assets.reserve("aborted");
  const rows = [
    await measureTransfer("one PUT", 1, async () =>
      uploadFile(await assets.reserve("one"), sizeBytes),
    ),
    await measureTransfer("four PUTs in parallel", 4, async () => {
      const uploads = await Promise.all(["a", "b", "c", "d"].map(assets.reserve));
      await Promise.all(uploads.map((upload) => uploadFile(upload, sizeBytes)));
    }),
    await measureTransfer("a PUT aborted half-way", 0.5, () => abortUpload(aborted)),
    await measureTransfer("the aborted PUT repeated", 1, () => uploadFile(aborted, sizeBytes)),
    await measureTransfer("one GET", 1, async () => downloadFile(await assets.confirm(aborted))),
  ];
  return formatTable(["50 MiB file", "s", "MiB/s", "RSS before MiB", "RSS max MiB"], rows);
}

type PendingUpload = Readonly<{ uploadId: string; uploadUrl: string; publicUrl: string }>;

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
  name: string,
  files: number,
  transfer: () => Promise<void>,
): Promise<string[]> {
  const before = workerdMemoryMb();
  let max = before;
  const sampling = setInterval(() => {
    max = Math.max(max, workerdMemoryMb());
  }, sampleMs);
  const started = performance.now();
  try {
    await transfer();
  } finally {
    clearInterval(sampling);
  }
  const seconds = (performance.now() - started) / 1_000;
  const speed = (files * sizeBytes) / mib / seconds;
  return [name, seconds.toFixed(2), speed.toFixed(0), before.toFixed(0), max.toFixed(0)];
}
