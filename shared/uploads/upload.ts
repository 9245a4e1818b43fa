import { day, hour, minute } from "../kernel/index.ts";

export const visibilities = ["private", "public"] as const;
export type Visibility = (typeof visibilities)[number];

/** What the caller declares about a file before sending its bytes. */
export type DeclaredFile = Readonly<{ filename: string; contentType: string; sizeBytes: number }>;

/** A file from its reservation on. The bytes may not have arrived yet. */
export type Upload = DeclaredFile &
  Readonly<{
    id: string;
    /** The attempt whose object is the file. Null until an attempt is complete. */
    receivedAttempt: number | null;
    /** R2's ETag of the file, in quotation marks. Null until the bytes have arrived. */
    etag: string | null;
    confirmedAt: number | null;
    deletedAt: number | null;
    createdAt: number;
    expiresAt: number;
  }>;

/** Why bytes are rejected (docs/contract/storefront.md#upload-bytes). */
export type UploadRejection = "gone" | "already_received" | "too_many_attempts";

/** How long an upload URL accepts bytes. */
export const uploadUrlTtlMs = 10 * minute;
/** How long an upload can be confirmed, and its Idempotency-Key recognised. */
export const unconfirmedTtlMs = day;
/** How long after the reservation bytes can still be arriving. The purge waits until then. */
export const latestArrivalMs = hour;
/** The longest transfer. Even a transfer that starts when the URL expires ends before the purge. */
export const maxTransferMs = latestArrivalMs - uploadUrlTtlMs - 5 * minute;
/** How long the URL of a private file is valid. */
export const downloadUrlTtlMs = 7 * day;

/**
 * How long a guest's file is kept after its last confirmation. An unused session is kept as long.
 */
export const guestFileTtlMs = 30 * day;
/** How often a repeated confirmation is stored at most. */
export const reconfirmIntervalMs = day;

export const maxUploadBytes = 26_214_400;
export const maxAssetBytes = 52_428_800;

/** The limit of attempts per upload. Each attempt may leave an R2 object until the purge. */
export const maxUploadAttempts = 20;

/** The limit of unfinished uploads per session. */
export const maxUnfinishedUploads = 20;

/** The beginning of the R2 keys of all objects of a business. */
export const objectKeyPrefix = ({ id }: Readonly<{ id: string }>): string => `${id}/`;

/** The R2 key of an attempt's object. It contains no text from the caller. */
export const objectKey = (
  business: Readonly<{ id: string }>,
  { id }: Pick<Upload, "id">,
  attempt: number,
): string => `${objectKeyPrefix(business)}${id}/${attempt}`;

/** Whether the upload is confirmed, or its bytes have arrived or may still arrive. */
export const isConfirmable = (
  { expiresAt, receivedAttempt, confirmedAt }: Upload,
  now: number,
): boolean => confirmedAt !== null || receivedAttempt !== null || now < expiresAt;

/** The times of an upload that is being reserved. */
export const lifetimeFields = (now: number) => ({
  createdAt: now,
  expiresAt: now + uploadUrlTtlMs,
  purgeAt: now + unconfirmedTtlMs,
});

/** The fields of an upload without bytes. */
export const unreceivedFields = {
  receivedAttempt: null,
  etag: null,
  confirmedAt: null,
  deletedAt: null,
} as const;
