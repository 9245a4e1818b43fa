import { day, hour, minute } from "../kernel/index.ts";

export const visibilities = ["private", "public"] as const;
export type Visibility = (typeof visibilities)[number];

/** A file as it was declared (interface.md, Uploads and Storefront assets). */
export type DeclaredFile = Readonly<{ filename: string; contentType: string; sizeBytes: number }>;

/** A place for a file. The bytes may have arrived, and it may have been confirmed. */
export type Upload = DeclaredFile &
  Readonly<{
    id: string;
    /** Which attempt's bytes are the file; null before any has arrived whole. */
    receivedAttempt: number | null;
    /** As R2 has it, with its quotation marks; null before the bytes. */
    etag: string | null;
    confirmedAt: number | null;
    deletedAt: number | null;
    createdAt: number;
    expiresAt: number;
  }>;

/** Why bytes were not taken, as the caller of the address is told (completions.md 12). */
export type Refused = "gone" | "finished" | "too_many_attempts";

/** How long an address takes bytes (interface.md, Limits). */
export const addressLifeMs = 10 * minute;
/** How long bytes that arrived wait to be confirmed, and a key is remembered (completions.md 6). */
export const unconfirmedLifeMs = day;
/** By then, no bytes are on their way any more that an address let in. */
export const arrivedByMs = hour;
/** How long sending may take: what begins at an address's last moment ends before the sweep comes. */
export const sendingMayTakeMs = arrivedByMs - addressLifeMs - 5 * minute;
/** How long a private file's address is good for (completions.md 12). */
export const downloadLifeMs = 7 * day;

/**
 * How long a guest's finished file is kept after it was last confirmed: as long as their session when
 * nobody uses it, and longer than any address of it is good for.
 */
export const guestFileLifeMs = 30 * day;
/** So often is it noted that a guest's file was confirmed again. */
export const keptAnewAfterMs = day;

/** completions.md 12; interface.md, Limits. */
export const maxUploadBytes = 26_214_400;
export const maxAssetBytes = 52_428_800;

/** More attempts than any bad line needs; each may leave an object behind until the sweep. */
export const maxAttempts = 20;

/** Of one session: nobody sends more files at a time, and nobody stores without end what is never confirmed. */
export const maxUnfinished = 20;

/** The R2 object of one attempt: nobody's names are in it, so that no name can break it. */
export const objectKey = (
  business: Readonly<{ id: string }>,
  { id }: Pick<Upload, "id">,
  attempt: number,
): string => `${business.id}/${id}/${attempt}`;

/** Whether bytes may still come, or have come and may still be confirmed. */
export const isOpen = ({ expiresAt, receivedAttempt, confirmedAt }: Upload, now: number): boolean =>
  confirmedAt !== null || receivedAttempt !== null || now < expiresAt;
