import { second } from "../../../shared/kernel/index.ts";
import type { RequestContext } from "../../http/api-env.ts";
import { chance } from "../../runtime/runtime.ts";
import { holds } from "./entity-tag.ts";
import { timeOfHttpDate } from "./http-date.ts";

/** How a file stands: its strong tag, and when it last changed in epoch milliseconds. */
type Standing = Readonly<{ etag: string; modifiedAt: number }>;

/** Whether a file is sent, the caller has it already (304), or it is not the one that was meant (412). */
type Condition = "send" | "held" | "another";

/**
 * What the conditions of a request for a file come to, in the order of RFC 9110, 13.2.2: a tag counts
 * for more than a time, and what is no HTTP date says nothing.
 */
export function conditionOf({ req }: Pick<RequestContext, "req">, file: Standing): Condition {
  const ifMatch = req.header("if-match");
  const isAnother =
    ifMatch === undefined
      ? isChangedSince(req.header("if-unmodified-since"), file)
      : !isNamed(ifMatch, file);
  if (isAnother) return "another";
  const ifNoneMatch = req.header("if-none-match");
  if (ifNoneMatch !== undefined) return holds(ifNoneMatch, file.etag) ? "held" : "send";
  const since = timeOf(req.header("if-modified-since"));
  return since !== null && secondOf(file) <= since ? "held" : "send";
}

/** If-Match compares strongly: a weak tag names no file (RFC 9110, 13.1.1). */
const isNamed = (condition: string, { etag }: Standing): boolean =>
  condition.trim() === "*" || condition.split(",").some((tag) => tag.trim() === etag);

function isChangedSince(condition: string | undefined, file: Standing): boolean {
  const since = timeOf(condition);
  return since !== null && secondOf(file) > since;
}

/** Last-Modified tells whole seconds; no finer time can be asked for. */
const secondOf = ({ modifiedAt }: Standing): number => Math.floor(modifiedAt / second) * second;

const timeOf = (text: string | undefined): number | null =>
  text === undefined ? null : timeOfHttpDate(text, chance.now());
