import {
  type Business,
  businessDirectory,
  businessRepo,
  readKeyText,
} from "../../../shared/businesses/index.ts";
import { openDb } from "../../../shared/database/index.ts";
import type { Meter, Refusal } from "../../../shared/kernel/index.ts";
import { chance } from "../../runtime/runtime.ts";
import type { Caller, RequestContext } from "../api-env.ts";
import { forbidden, unauthorized } from "../errors.ts";

const directory = businessDirectory();

const asked = (c: RequestContext) => ({
  open: (on: Meter) => businessRepo(openDb(c.env.CORE, on)),
  meter: c.get("meter"),
  now: chance.now(),
  background: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
});

/** A business by its id, which no key of the call stands for; null for an unknown one. */
export const businessOf = (c: RequestContext, id: string): Promise<Business | null> =>
  directory.find(id, asked(c));

const stranger = (refusal: Refusal): Caller => ({ type: "stranger", refusal });

type Named = Readonly<{
  keyText: string | null;
  wantedBusiness: string | null;
  /** Before a key is looked up that is not remembered. @throws Refusal. */
  admit: () => void;
}>;

/** Finds the key's business (completions.md 2); whether the call takes such a key, its row decides. */
export async function identify(
  c: RequestContext,
  { keyText: text, wantedBusiness, admit }: Named,
): Promise<Caller> {
  if (text === null) return stranger(unauthorized("Send a key in X-Public-Key or X-API-Key."));
  const found = await directory.findByKey(text, wantedBusiness, { ...asked(c), admit });
  if (!found) return stranger(unauthorized("The key is malformed, unknown or revoked."));
  if (!found.business) return stranger(forbidden("The key does not serve this business."));
  if (found.business.mode !== found.key.mode) {
    return stranger(
      unauthorized(`A ${found.key.mode} key does not serve a ${found.business.mode} business.`),
    );
  }
  if (found.key.mode === "live" && isSandbox(new URL(c.req.url).hostname)) {
    return stranger(unauthorized("A sandbox host takes test keys alone."));
  }
  return { type: "keyed", key: found.key, business: found.business };
}

/** Such as `sandbox.shop.example`. */
const isSandbox = (host: string): boolean => host.split(".").includes("sandbox");

/** A publishable key may come in either header, a secret one never in X-Public-Key. */
export function keyTextOf(c: RequestContext): string | null {
  const publicKey = c.req.header("x-public-key");
  if (publicKey !== undefined) return publicKeyText(publicKey);
  const bearer = /^Bearer +((?:sk|dk)_\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  return c.req.header("x-api-key") ?? bearer ?? null;
}

/** The text where a publishable key alone may stand; no other kind is known there. */
export const publicKeyText = (text: string): string =>
  readKeyText(text)?.kind === "publishable" ? text : "";
