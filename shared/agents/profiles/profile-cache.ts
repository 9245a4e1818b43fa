import {
  createLruCache,
  fetchText,
  hour,
  minute,
  type ProviderTransport,
  second,
} from "../../kernel/index.ts";
import { targetUrlProblem } from "../../webhooks/index.ts";
import { type PlatformProfile, parsePlatformProfile } from "./parse-profile.ts";

const maxProfileBytes = 64 * 1024;
/** How long a platform's server may take. */
const fetchTimeoutMs = 3 * second;
/** A profile is used for as long as its server says, within these limits. */
const minAgeMs = minute;
const maxAgeMs = hour;
/** How long a profile that could not be read is not fetched again. */
const failureTtlMs = 10 * second;
const maxCachedBytes = 4 * 1024 * 1024;

/** Why a call cannot use its platform's profile, with the code of the protocol. */
export type ProfileProblem = Readonly<{
  type: "problem";
  code: "invalid_profile_url" | "profile_unreachable" | "profile_malformed" | "rate_limited";
  content: string;
}>;

export type FoundProfile = Readonly<{ type: "found"; url: string; profile: PlatformProfile }>;

type CachedProfile = Readonly<{
  result: FoundProfile | ProfileProblem;
  fetchedAt: number;
  expiresAt: number;
  bytes: number;
}>;

type FetchOptions = Readonly<{
  fetch: ProviderTransport["fetch"];
  now: () => number;
  /** Allows addresses of this computer, without TLS. For development only. */
  allowLocal: boolean;
  /** Whether the caller may cause another fetch of a profile that is not cached. */
  mayFetch: () => boolean;
}>;

/**
 * The platforms' profiles that an isolate has fetched (docs/agents.md#profiles). A profile is stored
 * under its own URL only, so that nobody can replace that of another platform.
 */
export function createProfileCache() {
  const entries = createLruCache<CachedProfile>(
    maxCachedBytes,
    ({ bytes }, url) => bytes + url.length,
  );

  async function load(url: string, options: FetchOptions): Promise<CachedProfile> {
    const { result, ageMs, bytes } = await fetchProfile(url, options);
    const fetchedAt = options.now();
    const entry = { result, fetchedAt, expiresAt: fetchedAt + ageMs, bytes };
    entries.put(url, entry);
    return entry;
  }

  return {
    /** Finds the profile of a platform, which the text of a request names. */
    async find(text: string | null, options: FetchOptions): Promise<FoundProfile | ProfileProblem> {
      const url = parseProfileUrl(text, options);
      if (typeof url !== "string") return url;
      const cached = entries.get(url);
      if (cached && isFresh(cached, options.now())) return cached.result;
      if (!options.mayFetch()) return tooManyFetches;
      return (await load(url, options)).result;
    },

    /** Fetches a profile again that lacks the key of a signature, at most once in a minute. */
    async refresh(url: string, options: FetchOptions): Promise<FoundProfile | ProfileProblem> {
      const cached = entries.get(url);
      const isRecent = cached !== undefined && options.now() - cached.fetchedAt < minAgeMs;
      if (isRecent) return cached.result;
      return options.mayFetch() ? (await load(url, options)).result : tooManyFetches;
    },
  };
}

const isFresh = ({ fetchedAt, expiresAt }: CachedProfile, now: number): boolean =>
  now >= fetchedAt && now < expiresAt;

const problem = (code: ProfileProblem["code"], content: string): ProfileProblem => ({
  type: "problem",
  code,
  content,
});

const tooManyFetches = problem(
  "rate_limited",
  "Too many profiles were fetched for your address; wait and try again.",
);

/** The URL in one form, so that each profile is one platform. A fragment names no other document. */
function parseProfileUrl(
  text: string | null,
  { allowLocal }: Pick<FetchOptions, "allowLocal">,
): string | ProfileProblem {
  if (text === null)
    return problem(
      "invalid_profile_url",
      'Send your profile in the header UCP-Agent: profile="https://…".',
    );
  const reason = targetUrlProblem(text, { allowLocal });
  if (reason !== null) return problem("invalid_profile_url", `The profile URL ${reason}`);
  const url = new URL(text);
  url.hash = "";
  return url.href;
}

type Fetched = Readonly<{ result: CachedProfile["result"]; ageMs: number; bytes: number }>;

async function fetchProfile(url: string, { fetch }: FetchOptions): Promise<Fetched> {
  const response = await fetchText(
    { fetch, timeoutMs: fetchTimeoutMs, maxBytes: maxProfileBytes },
    url,
    { headers: { Accept: "application/json", "User-Agent": "Duka-Agents" } },
  );
  if (response.type === "no_answer")
    return failed("profile_unreachable", `The profile could not be fetched: ${response.problem}.`);
  const { status, headers, text } = response;
  if (status < 200 || status > 299)
    return failed("profile_unreachable", `The profile could not be fetched: status ${status}.`);
  if (text === null) return failed("profile_malformed", "The profile is larger than 64 KiB.");
  const parsed = parsePlatformProfile(text);
  if (parsed.type === "malformed") return failed("profile_malformed", parsed.problem);
  return {
    result: { type: "found", url, profile: parsed.profile },
    ageMs: maxAgeOf(headers.get("cache-control")),
    bytes: text.length,
  };
}

const failed = (code: ProfileProblem["code"], content: string): Fetched => ({
  result: problem(code, content),
  ageMs: failureTtlMs,
  bytes: content.length,
});

/** How long a profile is used. A directive against caching counts as the shortest time. */
function maxAgeOf(cacheControl: string | null): number {
  const text = cacheControl ?? "";
  if (/\b(?:no-store|no-cache)\b/i.test(text)) return minAgeMs;
  const seconds = Number(/(?:^|[\s,])max-age="?(\d{1,9})/i.exec(text)?.[1] ?? 0);
  return Math.min(Math.max(seconds * second, minAgeMs), maxAgeMs);
}
