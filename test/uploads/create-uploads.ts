import { createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import type { FileStore } from "../../shared/uploads/index.ts";
import { assertDocumentedResponse } from "../support/documented-responses.ts";
import worker from "../support/worker.ts";
import {
  type ApiResponse,
  type CallOptions,
  call,
  dataOf,
  type merchant,
} from "../support/world.ts";

type BusinessWithKeys = Parameters<typeof merchant>[0];
type ApiCaller = (method: string, path: string, options?: CallOptions) => Promise<ApiResponse>;

export const pictureFields = { filename: "tea.png", content_type: "image/png" };

/** Bytes that vary with the seed. */
export function createBytes(size: number, seed = 7): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, index) => (index * seed + (index >> 8)) & 255);
}

/** A URL of the service without its host. */
export const pathOfUrl = (address: string): string => address.replace("https://duka.test", "");

/** PUTs bytes to a URL, as a browser or curl would. */
export const putBytes = (
  address: string,
  raw: BodyInit,
  { contentType = pictureFields.content_type }: { contentType?: string } = {},
): Promise<ApiResponse> =>
  call("PUT", pathOfUrl(address), { rawBody: raw, headers: { "Content-Type": contentType } });

/** Requests a URL and returns the body as bytes. */
export async function getFile(
  address: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Readonly<{ status: number; headers: Headers; bytes: Uint8Array }>> {
  const response = await exports.default.fetch(address, { method, headers });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { status, headers: responseHeaders } = response;
  if (responseHeaders.get("content-type")?.startsWith("application/json") && bytes.length > 0) {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    assertDocumentedResponse({
      method,
      path: new URL(address).pathname,
      status,
      headers: responseHeaders,
      body,
    });
  }
  return { status, headers: responseHeaders, bytes };
}

/** Reserves a shopper's upload. */
export async function reserveTestUpload(ask: ApiCaller, size: number, fields: object = {}) {
  const answer = await ask("POST", "/uploads/init", {
    body: { ...pictureFields, size_bytes: size, ...fields },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const { upload_id, upload_url } = dataOf(answer);
  return { id: String(upload_id), address: String(upload_url) };
}

/** A confirmed shopper's file. */
export async function createUpload(
  ask: ApiCaller,
  bytes: Uint8Array<ArrayBuffer>,
  fields: object = {},
) {
  const { id, address } = await reserveTestUpload(ask, bytes.length, fields);
  const { content_type: contentType } = { ...pictureFields, ...fields };
  const sent = await putBytes(address, bytes, { contentType });
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body));
  const confirmed = await ask("POST", "/uploads/confirm", { body: { upload_id: id } });
  return { id, url: String(dataOf(confirmed).url) };
}

/** Calls of the asset API with the business's deploy key. */
export const deployCaller =
  ({ keys, business }: BusinessWithKeys) =>
  (method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> =>
    call(method, `/v1/businesses/${business.id}/assets${path}`, {
      ...options,
      headers: { Authorization: `Bearer ${keys.deploy}`, ...options.headers },
    });

/** Reserves an asset. */
export async function reserveTestAsset(deploy: ApiCaller, size: number, fields: object = {}) {
  const answer = await deploy("POST", "/init", {
    body: { folder: "images", ...pictureFields, size_bytes: size, ...fields },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const { upload_id, upload_url, public_url_preview } = dataOf(answer);
  return { id: String(upload_id), address: String(upload_url), url: String(public_url_preview) };
}

/** A confirmed, public asset. */
export async function createAsset(
  deploy: ApiCaller,
  bytes: Uint8Array<ArrayBuffer>,
  fields: object = {},
) {
  const reserved = await reserveTestAsset(deploy, bytes.length, fields);
  const { content_type: contentType } = { ...pictureFields, ...fields };
  await putBytes(reserved.address, bytes, { contentType });
  const confirmed = await deploy("POST", "/confirm", { body: { upload_id: reserved.id } });
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body));
  return reserved;
}

/** The file store with some operations replaced. */
export function createFileStoreWith(overrides: Partial<FileStore>): R2Bucket {
  const { FILES } = env;
  const files: FileStore = {
    put: FILES.put.bind(FILES),
    head: FILES.head.bind(FILES),
    get: FILES.get.bind(FILES),
    list: FILES.list.bind(FILES),
    delete: FILES.delete.bind(FILES),
    ...overrides,
  };
  return files as R2Bucket; // safe: nothing else is called
}

/** Calls the Worker with some bindings replaced. */
export const callWithBindings = (bindings: object, request: Request): Promise<Response> =>
  Promise.resolve(worker.fetch(request, { ...env, ...bindings }, createExecutionContext()));

/** A body that sends its bytes when it is released. */
export function createPausedBody(bytes: Uint8Array) {
  const released = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await released.promise;
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return { body, release: released.resolve };
}
