import { conflict } from "../kernel/index.ts";
import type { UploadContext } from "./context.ts";
import { type RepeatKey, uploadRepo } from "./repo.ts";
import {
  addressLifeMs,
  type DeclaredFile,
  maxUnfinished,
  type Upload,
  unconfirmedLifeMs,
} from "./upload.ts";

export type Reserved = Readonly<{
  upload: Upload;
  /** Whose it is: an earlier session's, should a repeat have found that one's. */
  sessionId: string;
  isReplay: boolean;
}>;

/**
 * Keeps a place for a shopper's file (interface.md, POST /uploads/init). The row is its own memory of
 * the Idempotency-Key: asked for again with it, the same place is the answer.
 *
 * @throws Refusal CONFLICT for a key that came with another file; retryable, while the session has as
 *   many files in progress as it may have.
 */
export async function reserveUpload(
  ctx: Omit<UploadContext, "files">,
  { sessionId, ...file }: DeclaredFile & Readonly<{ sessionId: string }>,
  repeat: RepeatKey | null,
): Promise<Reserved> {
  const uploads = uploadRepo(ctx);
  const row = {
    ...file,
    ...lifeFrom(ctx.now()),
    id: ctx.newId("upl"),
    visibility: "private",
    sessionId,
    customerId: null,
    folderPath: null,
    path: null,
  } as const;
  if (repeat === null) {
    if (!(await uploads.insertPrivate(row))) throw tooMany();
    return { upload: { ...row, ...notYet }, sessionId, isReplay: false };
  }
  const standing = await uploads.insertOnce(row, repeat, unconfirmedLifeMs);
  if (!standing) throw tooMany();
  if (!isSameFile(standing, file)) throw conflict("This Idempotency-Key came with another file.");
  return {
    upload: standing,
    sessionId: standing.sessionId ?? sessionId,
    isReplay: standing.id !== row.id,
  };
}

const tooMany = () =>
  conflict(`${maxUnfinished} uploads of this session are in progress; confirm them first.`, {
    retryable: true,
  });

/** When a place that is made now takes no bytes any more, and when it is cleared away. */
export const lifeFrom = (now: number) => ({
  createdAt: now,
  expiresAt: now + addressLifeMs,
  purgeAt: now + unconfirmedLifeMs,
});

/** What a place does not have from the start. */
export const notYet = {
  receivedAttempt: null,
  etag: null,
  confirmedAt: null,
  deletedAt: null,
} as const;

const isSameFile = (one: DeclaredFile, other: DeclaredFile): boolean =>
  one.filename === other.filename &&
  one.contentType === other.contentType &&
  one.sizeBytes === other.sizeBytes;
