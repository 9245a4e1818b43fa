import { day, hour, minute } from "../kernel/index.ts";

export const visibilities = ["private", "public"] as const;
export type Visibility = (typeof visibilities)[number];

/** A file as the caller declares it before sending its bytes. */
export type DeclaredFile = Readonly<{ filename: string; contentType: string; sizeBytes: number }>;

/** A file from its reservation on, with or without bytes. */
export type Upload = DeclaredFile &
  Readonly<{
    id: string;
    /** The attempt whose object is the file; null before one is complete. */
    receivedAttempt: number | null;
    /** The ETag of R2, in quotation marks; null before the bytes. */
    etag: string | null;
    confirmedAt: number | null;
    deletedAt: number | null;
    createdAt: number;
    expiresAt: number;
  }>;

/** Why bytes are rejected (docs/contract/storefront.md#upload-bytes). */
export type UploadRejection = "gone" | "already_received" | "too_many_attempts";

/** How long an upload URL takes bytes. */
export const uploadUrlTtlMs = 10 * minute;
/** How long an upload can be confirmed, and its Idempotency-Key repeated. */
export const unconfirmedTtlMs = day;
/** After this time no bytes of an upload can still be arriving. */
export const latestArrivalMs = hour;
/** The longest transfer; one that starts when the URL expires ends before the purge. */
export const maxTransferMs = latestArrivalMs - uploadUrlTtlMs - 5 * minute;
/** How long the URL of a private file is valid. */
export const downloadUrlTtlMs = 7 * day;

/** How long a guest's file is kept after its last confirmation: as long as an unused session. */
export const guestFileTtlMs = 30 * day;
/** A repeated confirmation is recorded at most this often. */
export const reconfirmIntervalMs = day;

export const maxUploadBytes = 26_214_400;
export const maxAssetBytes = 52_428_800;

/** Attempts per upload. Each may leave an object behind until the purge. */
export const maxUploadAttempts = 20;

/** Unfinished uploads per session. */
export const maxUnfinishedUploads = 20;

/** The R2 key of an attempt's object. It contains no text from the caller. */
export const objectKey = (
  business: Readonly<{ id: string }>,
  { id }: Pick<Upload, "id">,
  attempt: number,
): string => `${business.id}/${id}/${attempt}`;

/** Whether the upload is confirmed, or its bytes have arrived or may still arrive. */
export const isConfirmable = (
  { expiresAt, receivedAttempt, confirmedAt }: Upload,
  now: number,
): boolean => confirmedAt !== null || receivedAttempt !== null || now < expiresAt;

/** The times of an upload that is reserved now. */
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
