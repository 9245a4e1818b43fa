import { createIdGenerator, type Runtime } from "../../shared/kernel/index.ts";

const now = () => Date.now();
const randomBytes = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

/** The real clock and randomness. Nothing else may use the platform's directly. */
export const runtime: Runtime = { now, randomBytes, newId: createIdGenerator(now, randomBytes) };
