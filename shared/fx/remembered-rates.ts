import { freshCache, minute } from "../kernel/index.ts";
import { type FetchedRates, type FxProvider, type RemoteRates, rateIn } from "./provider.ts";

/** completions.md 11: a rate is cached 60 s, and nothing older is ever given. */
const maxAgeMs = minute;
const maxAnswers = 2_000;

type Surroundings = Readonly<{
  now: () => number;
  /** Work that may outlive the request. */
  background: (work: Promise<unknown>) => void;
}>;

/**
 * What an isolate remembers of providers' answers, the "unknown" ones too. A missing answer each
 * request asks for itself, since none may wait for another's connection; an ageing one is renewed by
 * one request, behind its own answer, and stands for its 60 s when the provider is down.
 */
export function rememberedRates() {
  const answers = freshCache<Exclude<FetchedRates, null>>(maxAnswers, maxAgeMs);

  return (remote: RemoteRates, { now, background }: Surroundings): FxProvider => ({
    source: remote.source,
    async rate(pair) {
      const load = () => remote.fetch(pair);
      const renew = async () => {
        const answer = await load();
        if (answer === null) throw new Error(`${remote.source} did not answer.`);
        return answer;
      };
      const how = { load, renew, background };
      const key = `${remote.source} ${remote.keyOf(pair)}`;
      const answer = await answers.getRenewing(key, now(), how);
      if (answer === null) return { type: "no_answer" };
      if (answer === "unknown") return { type: "unknown_currency", side: "to" };
      return rateIn(answer, pair, now());
    },
  });
}
