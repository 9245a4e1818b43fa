import { createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import type { FileStore } from "../../shared/uploads/index.ts";
import { demandDocumented } from "../support/documented.ts";
import { dataOf } from "../support/orders.ts";
import worker from "../support/worker.ts";
import { type Answer, type CallOptions, call, type merchant } from "../support/world.ts";

type Shop = Parameters<typeof merchant>[0];
type Ask = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

export const picture = { filename: "tea.png", content_type: "image/png" };

/** Bytes that are not all alike. */
export function bytesOf(size: number, seed = 7): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, index) => (index * seed + (index >> 8)) & 255);
}

/** A whole address, as the service hands it out, without its host. */
export const pathOf = (address: string): string => address.replace("https://duka.test", "");

/** Sends bytes to an address, as a browser or curl would. */
export const put = (
  address: string,
  raw: BodyInit,
  { contentType = picture.content_type }: { contentType?: string } = {},
): Promise<Answer> =>
  call("PUT", pathOf(address), { raw, headers: { "Content-Type": contentType } });

/** What an address answers, its body in bytes. */
export async function get(
  address: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Readonly<{ status: number; headers: Headers; bytes: Uint8Array }>> {
  const response = await exports.default.fetch(address, { method, headers });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { status, headers: answered } = response;
  if (answered.get("content-type")?.startsWith("application/json") && bytes.length > 0) {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    demandDocumented({ method, path: new URL(address).pathname, status, headers: answered, body });
  }
  return { status, headers: answered, bytes };
}

/** A place for a shopper's file. */
export async function givenPlace(ask: Ask, size: number, fields: object = {}) {
  const answer = await ask("POST", "/uploads/init", {
    body: { ...picture, size_bytes: size, ...fields },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const { upload_id, upload_url } = dataOf(answer);
  return { id: String(upload_id), address: String(upload_url) };
}

/** A shopper's file, finished: its id and where it is read. */
export async function givenUpload(ask: Ask, bytes: Uint8Array<ArrayBuffer>, fields: object = {}) {
  const { id, address } = await givenPlace(ask, bytes.length, fields);
  const { content_type: contentType } = { ...picture, ...fields };
  const sent = await put(address, bytes, { contentType });
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body));
  const confirmed = await ask("POST", "/uploads/confirm", { body: { upload_id: id } });
  return { id, url: String(dataOf(confirmed).url) };
}

/** The merchant's build, with the deploy key of its business. */
export const deployer =
  ({ keys, business }: Shop) =>
  (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
    call(method, `/v1/businesses/${business.id}/assets${path}`, {
      ...options,
      headers: { Authorization: `Bearer ${keys.deploy}`, ...options.headers },
    });

/** A place for an asset: its id, its address, and where it is going to be read. */
export async function givenAssetPlace(deploy: Ask, size: number, fields: object = {}) {
  const answer = await deploy("POST", "/init", {
    body: { folder: "images", ...picture, size_bytes: size, ...fields },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const { upload_id, upload_url, public_url_preview } = dataOf(answer);
  return { id: String(upload_id), address: String(upload_url), url: String(public_url_preview) };
}

/** A public asset. */
export async function givenAsset(deploy: Ask, bytes: Uint8Array<ArrayBuffer>, fields: object = {}) {
  const place = await givenAssetPlace(deploy, bytes.length, fields);
  const { content_type: contentType } = { ...picture, ...fields };
  await put(place.address, bytes, { contentType });
  const confirmed = await deploy("POST", "/confirm", { body: { upload_id: place.id } });
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body));
  return place;
}

/** The store of bytes, in which some calls do otherwise. */
export function filesWith(otherwise: Partial<FileStore>): R2Bucket {
  const { FILES } = env;
  const files: FileStore = {
    put: FILES.put.bind(FILES),
    head: FILES.head.bind(FILES),
    get: FILES.get.bind(FILES),
    delete: FILES.delete.bind(FILES),
    ...otherwise,
  };
  return files as R2Bucket; // safe: nothing else is called
}

/** A request to the Worker whose bindings are partly others. */
export const askWith = (bindings: object, request: Request): Promise<Response> =>
  Promise.resolve(worker.fetch(request, { ...env, ...bindings }, createExecutionContext()));

/** A body whose only piece comes when it is released. */
export function heldBody(bytes: Uint8Array) {
  const held = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await held.promise;
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return { body, release: held.resolve };
}
