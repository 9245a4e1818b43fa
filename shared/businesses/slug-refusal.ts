import type { ConstraintRefusals } from "../database/index.ts";
import { conflict, type Refusal } from "../kernel/index.ts";

/** CONFLICT for a slug that another business has. */
export const slugTakenRefusal = (): Refusal => conflict("Another business has this slug.");

export const slugConstraintRefusals: ConstraintRefusals = { "businesses.slug": slugTakenRefusal };
