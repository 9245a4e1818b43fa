import { second } from "../../../shared/kernel/index.ts";
import type { RequestContext } from "../../http/context.ts";
import { runtime } from "../../runtime/runtime.ts";
import { matchesEntityTag } from "../cache/entity-tag.ts";
import { parseHttpDate } from "./http-date.ts";

/** A file's strong entity tag and the epoch milliseconds of its last change. */
type FileVersion = Readonly<{ etag: string; modifiedAt: number }>;

/**
 * Send the file, respond 304 because the caller has the current file, or respond 412 because the
 * file has changed.
 */
type ConditionResult = "send" | "not_modified" | "precondition_failed";

/**
 * Evaluates a request's conditional headers in the order of RFC 9110, 13.2.2. Entity tags take
 * precedence over times, and a time that is not an HTTP date is ignored.
 */
export function evaluateConditions(
  { req }: Pick<RequestContext, "req">,
  file: FileVersion,
): ConditionResult {
  const ifMatch = req.header("if-match");
  const isChanged =
    ifMatch === undefined
      ? isModifiedAfter(req.header("if-unmodified-since"), file)
      : !matchesStrongly(ifMatch, file);
  if (isChanged) return "precondition_failed";
  const ifNoneMatch = req.header("if-none-match");
  if (ifNoneMatch !== undefined)
    return matchesEntityTag(ifNoneMatch, file.etag) ? "not_modified" : "send";
  const since = parseDateHeader(req.header("if-modified-since"));
  return since !== null && lastModifiedSecond(file) <= since ? "not_modified" : "send";
}

/**
 * Whether If-Match names the file. This strong comparison accepts no weak tag (RFC 9110, 13.1.1).
 */
const matchesStrongly = (ifMatch: string, { etag }: FileVersion): boolean =>
  ifMatch.trim() === "*" || ifMatch.split(",").some((tag) => tag.trim() === etag);

function isModifiedAfter(condition: string | undefined, file: FileVersion): boolean {
  const since = parseDateHeader(condition);
  return since !== null && lastModifiedSecond(file) > since;
}

/**
 * The time of the last change without milliseconds, because Last-Modified has only whole seconds.
 */
const lastModifiedSecond = ({ modifiedAt }: FileVersion): number =>
  Math.floor(modifiedAt / second) * second;

const parseDateHeader = (text: string | undefined): number | null =>
  text === undefined ? null : parseHttpDate(text, runtime.now());
