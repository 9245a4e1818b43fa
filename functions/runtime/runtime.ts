import { idMaker, type Runtime } from "../../shared/kernel/index.ts";

const now = () => Date.now();
const random = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

/** The real clock and the real dice: the only place of the house that reaches for them. */
export const chance: Runtime = { now, random, newId: idMaker(now, random) };
