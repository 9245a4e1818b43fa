import { createIdGenerator, type Runtime } from "../../shared/kernel/index.ts";

const now = () => Date.now();
const randomBytes = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

/**
 * The real clock and random numbers. Other code takes them from here, so that tests can replace
 * them.
 */
export const runtime: Runtime = { now, randomBytes, newId: createIdGenerator(now, randomBytes) };
