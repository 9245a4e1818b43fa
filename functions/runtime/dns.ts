import { z } from "@hono/zod-openapi";
import type { LookUpTxt } from "../../shared/businesses/index.ts";
import { callProvider, parseJson, second } from "../../shared/kernel/index.ts";
import type { Settings } from "./settings.ts";

const timeoutMs = 5 * second;

/** The DNS code of a name that does not exist, which is an answer too. */
const noSuchName = 3;
const txtRecord = 16;

const Answer = z.object({
  Status: z.number(),
  Answer: z.array(z.object({ type: z.number(), data: z.string() })).default([]),
});

/** Reads TXT records over HTTPS, in the JSON that Cloudflare's and Google's resolvers answer with. */
export const createTxtLookup =
  ({ dnsOverHttpsUrl }: Pick<Settings, "dnsOverHttpsUrl">): LookUpTxt =>
  async (name) => {
    const url = new URL(dnsOverHttpsUrl);
    url.searchParams.set("name", name);
    url.searchParams.set("type", "TXT");
    const response = await callProvider(
      { fetch: (...call) => fetch(...call), timeoutMs },
      url.href,
      { headers: { Accept: "application/dns-json" } },
    );
    if (response.type === "no_answer" || response.status !== 200) return null;
    const answer = Answer.safeParse(parseJson(response.text));
    if (!answer.success || ![0, noSuchName].includes(answer.data.Status)) return null;
    return answer.data.Answer.filter(({ type }) => type === txtRecord).map(({ data }) =>
      joinQuoted(data),
    );
  };

/** A text of more than 255 bytes comes in several quoted parts. */
const joinQuoted = (data: string): string =>
  data.startsWith('"')
    ? [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part = ""]) => part).join("")
    : data;
