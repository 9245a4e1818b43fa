import { type Published, published } from "../support/published.ts";

const surfaces = ["/api/v1", "/v1/link", "/v1/businesses"];
const known = new Map<string, Promise<Published>>();

/** What the service at an address publishes of itself, asked for once. */
export function publishedAt(origin: string): Promise<Published> {
  const asked = known.get(origin) ?? documentsAt(origin).then(published);
  known.set(origin, asked);
  return asked;
}

const documentsAt = (origin: string) =>
  Promise.all(
    surfaces.map(async (prefix) => {
      const answer = await fetch(`${origin}${prefix}/openapi.json`);
      return Object(await answer.json());
    }),
  );
