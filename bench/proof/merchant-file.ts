import { asRecord, asText, createApiClient } from "../api-client.ts";
import { operatorToken } from "../runtime.ts";

/** A merchant's published file. */
export type MerchantFile = Readonly<{ path: string; text: string }>;

const contentType = "text/plain";

/** Publishes a file of a new business. */
export async function uploadFile(origin: URL): Promise<MerchantFile> {
  const businesses = `${origin.origin}/v1/businesses`;
  const operator = createApiClient(businesses, { Authorization: `Bearer ${operatorToken}` });
  const created = await operator.post("", {
    ...{ name: "Files", mode: "test", currency: "GHS" },
    ...{ default_country: "GH", timezone: "Africa/Accra" },
  });
  const deployKey = asText(asRecord(created.keys).deploy);
  const assets = createApiClient(`${businesses}/${asText(asRecord(created.business).id)}/assets`, {
    Authorization: `Bearer ${deployKey}`,
  });
  const text = "A file of a merchant. ".repeat(1_000);
  const reserved = await assets.post("/init", {
    ...{ filename: "notes.txt", content_type: contentType, size_bytes: text.length },
  });
  const { status } = await fetch(asText(reserved.upload_url), {
    method: "PUT",
    headers: { "Content-Type": contentType, Connection: "close" },
    body: text,
  });
  if (status !== 200) throw new Error(`The upload got ${status}.`);
  await assets.post("/confirm", { upload_id: asText(reserved.upload_id) });
  return { path: new URL(asText(reserved.public_url_preview)).pathname, text };
}

/** @throws Error when the file is not served as it was published. */
export async function assertFileServed(url: URL, { text }: MerchantFile): Promise<void> {
  const response = await fetch(url, { headers: { Connection: "close" } });
  if (response.status !== 200 || (await response.text()) !== text)
    throw new Error(`${url} got ${response.status}, or another file.`);
}
