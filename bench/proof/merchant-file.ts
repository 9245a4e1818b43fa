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
  const access = { Authorization: `Bearer ${deployKey}` };
  const assetsUrl = `${businesses}/${asText(asRecord(created.business).id)}/assets`;
  const assets = createApiClient(assetsUrl, access);
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
  const confirmed = await fetch(`${assetsUrl}/confirm`, {
    method: "POST",
    headers: { ...access, "Content-Type": "application/json", Connection: "close" },
    body: JSON.stringify({ upload_id: asText(reserved.upload_id) }),
  });
  if (!confirmed.ok) throw new Error(`The upload is not confirmed: ${confirmed.status}.`);
  return { path: new URL(asText(reserved.public_url_preview)).pathname, text };
}

/** @throws Error when the file is not served as it was published. */
export async function assertFileServed(url: URL, { text }: MerchantFile): Promise<void> {
  const response = await fetch(url, { headers: { Connection: "close" } });
  if (response.status !== 200 || (await response.text()) !== text)
    throw new Error(`${url} got ${response.status}, or another file.`);
}
