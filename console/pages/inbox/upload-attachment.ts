import type { Business, BusinessSchemas } from "@duka/sdk/business";

/** A file that a message links to. */
export type Attachment = BusinessSchemas["Attachment"];

/** Publishes a file under an address that nobody can guess, and returns it as an attachment. */
export async function uploadAttachment(api: Business, file: File): Promise<Attachment> {
  const { data: started } = await api.assets.startUpload({
    folder: `chat/${crypto.randomUUID()}`,
    filename: file.name,
    content_type: file.type,
    size_bytes: file.size,
  });
  const response = await fetch(started.upload_url, {
    method: "PUT",
    headers: { "Content-Type": file.type },
    body: file,
  });
  if (!response.ok) throw new Error(`${file.name} could not be uploaded. Try again.`);
  const { data } = await api.assets.confirm({ upload_id: started.upload_id });
  return {
    url: data.url,
    filename: data.filename,
    content_type: data.content_type,
    size_bytes: data.size_bytes,
  };
}
