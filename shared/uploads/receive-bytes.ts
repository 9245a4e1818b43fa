import { conflict, invalid, unavailable } from "../kernel/index.ts";
import type { FileContext } from "./context.ts";
import { isWrongLength } from "./file-store.ts";
import { essenceOf } from "./media-type.ts";
import { uploadRepo } from "./repo.ts";
import { objectKey, type Refused } from "./upload.ts";

/** What an address promises, and what is sent to it; `sizeBytes` is null where the sender does not say. */
export type Delivery = Readonly<{
  uploadId: string;
  declared: Readonly<{ contentType: string; sizeBytes: number }>;
  sent: Readonly<{
    contentType: string | null;
    sizeBytes: number | null;
    bytes: ReadableStream<Uint8Array> | null;
    /** Gives up on a sender who takes longer than the sweep waits. */
    signal: AbortSignal;
  }>;
}>;

/**
 * Streams a file's bytes to where they lie, and nothing of them is held here (completions.md 12).
 * Each attempt has an object of its own, and the first that came through whole is the file: one that
 * died half-way is in nobody's way, and of several at once one wins.
 *
 * @param open what the file may reach, asked again once the bytes are there: its business may have
 *   moved to another database while they came.
 * @returns why the bytes were not taken, should the file be there already or gone; null when they were.
 * @throws Refusal VALIDATION_ERROR for another type or length than was declared; SERVICE_UNAVAILABLE
 *   for bytes that broke off or came too slowly, and where the store failed.
 */
export async function receiveBytes(
  open: () => Promise<FileContext>,
  { uploadId, declared, sent }: Delivery,
): Promise<Refused | null> {
  demandType(declared.contentType, sent.contentType);
  if (sent.sizeBytes !== null && sent.sizeBytes !== declared.sizeBytes) throw wrongLength(declared);
  const ctx = await open();
  const begun = await uploadRepo(ctx).begin(uploadId, ctx.now());
  if (typeof begun === "string") return begun;
  const { attempt } = begun;
  const key = objectKey(ctx.business, { id: uploadId }, attempt);
  const forget = () => ctx.files.delete(key).catch(() => {}); // what is left behind, the sweep finds
  const { httpEtag: etag } = await store(ctx, key, { declared, sent }).catch(async (error) => {
    await forget(); // R2 had them all, should the sender have broken off or gone on after the last
    throw error;
  });
  const refused = await uploadRepo(await open()).finish(uploadId, { attempt, etag });
  if (refused !== null) await forget();
  return refused;
}

/** @throws Refusal CONFLICT for an address that has had its file. */
export function demandTaken(refused: Exclude<Refused, "gone"> | null): void {
  if (refused === "finished") throw conflict("The file has arrived; confirm it.");
  if (refused === "too_many_attempts") throw conflict("Too many attempts; begin a new upload.");
}

/** R2 keeps an object whole or not at all: of what breaks off before its end, nothing is left. */
async function store(
  { files }: Pick<FileContext, "files">,
  key: string,
  {
    declared,
    sent: { bytes, signal },
  }: Pick<Delivery, "declared"> & Readonly<{ sent: Pick<Delivery["sent"], "bytes" | "signal"> }>,
): Promise<R2Object> {
  const { contentType, sizeBytes } = declared;
  const options = { httpMetadata: { contentType } };
  if (bytes === null) {
    if (sizeBytes > 0) throw wrongLength(declared);
    return files.put(key, new Uint8Array(), options);
  }
  const counted = new FixedLengthStream(sizeBytes);
  const broken = new AbortController();
  const settled = Promise.allSettled([
    bytes.pipeTo(counted.writable, { signal: AbortSignal.any([broken.signal, signal]) }),
    files.put(key, counted.readable, options).catch((error) => {
      broken.abort(error); // or the sender would be read on, for nobody
      throw error;
    }),
  ]);
  const [piped, stored] = await unlessAborted(signal, settled);
  if (stored.status === "fulfilled") return stored.value;
  if ([piped, stored].some((one) => one.status === "rejected" && isWrongLength(one.reason))) {
    throw wrongLength(declared);
  }
  throw notStored();
}

/** What a work comes to, unless the signal comes first: a pipe minds it only with the sender's next bytes. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(notStored());
  signal.addEventListener("abort", giveUp);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

const notStored = () => unavailable("The file could not be stored; send it again.");

const wrongLength = ({ sizeBytes }: Readonly<{ sizeBytes: number }>) =>
  invalid("content-length", `must be the ${sizeBytes} bytes that were declared`);

function demandType(declared: string, sent: string | null): void {
  if (sent !== null && essenceOf(sent) === essenceOf(declared)) return;
  throw invalid("content-type", `must be ${essenceOf(declared)}, as was declared`);
}
