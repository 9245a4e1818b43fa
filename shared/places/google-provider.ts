import { z } from "zod";
import { callProvider, type ProviderTransport, parseJson, second } from "../kernel/index.ts";
import { parseGooglePlace } from "./google-place.ts";
import type { PlacePrediction, PlacesProvider } from "./provider.ts";

/** `report` is called for failures. It does not get the input, because that is personal data. */
export type GooglePlacesSettings = Partial<Pick<ProviderTransport, "timeoutMs">> &
  Pick<ProviderTransport, "fetch"> &
  Readonly<{
    apiKey: string;
    /**
     * ISO 3166 codes of the business's countries, to which results are limited. Without them,
     * Google would choose results near the IP address of this service.
     */
    countries: readonly string[];
    report: (failure: Readonly<{ call: string; problem: string }>) => void;
  }>;

const api = "https://places.googleapis.com/v1";
/** Shorter than for other providers, because a shopper waits while typing. */
const limits = { timeoutMs: 4 * second, maxBytes: 256 * 1024 } as const;
/**
 * The fields to request. Google charges a call by its most expensive field, so no others are
 * requested.
 */
const predictionFields = [
  "suggestions.placePrediction.placeId",
  "suggestions.placePrediction.text.text",
  "suggestions.placePrediction.structuredFormat.mainText.text",
  "suggestions.placePrediction.structuredFormat.secondaryText.text",
].join(",");
const placeFields = "id,formattedAddress,addressComponents,location,viewport";
const maxCountries = 15;
/** The characters of a place id, which becomes part of the request path. */
const placeIdFormat = /^[A-Za-z0-9_-]{1,500}$/;

const Text = z.object({ text: z.string() });
const Suggestions = z.object({
  suggestions: z
    .array(
      z.object({
        placePrediction: z
          .object({
            placeId: z.string(),
            text: Text,
            structuredFormat: z
              .object({ mainText: Text.optional(), secondaryText: Text.optional() })
              .optional(),
          })
          .optional(),
      }),
    )
    .default([]),
});

const Problem = z.object({
  error: z.object({ status: z.string(), message: z.string().catch("") }),
});

/** The places provider that uses Google Maps' Places API (New). */
export function createGooglePlaces({
  apiKey,
  countries,
  report,
  ...transport
}: GooglePlacesSettings): PlacesProvider {
  const [homeCountry] = countries;
  const countryCodes = countries.slice(0, maxCountries).map((code) => code.toLowerCase());

  async function callGoogle(call: string, path: string, fields: string, body?: object) {
    const response = await callProvider({ ...limits, ...transport }, `${api}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        Accept: "application/json",
        "X-Goog-Api-Key": apiKey,
        "X-Goog-FieldMask": fields,
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const noAnswer = (problem: string) => {
      report({ call, problem });
      return { type: "no_answer" } as const;
    };
    if (response.type === "no_answer") return noAnswer(response.problem);
    const json = parseJson(response.text);
    if (response.status === 200) return { type: "ok", json, noAnswer } as const;
    if (isUnknownPlace(response.status, json)) return { type: "unknown_place" } as const;
    return noAnswer(`status ${response.status}`);
  }

  return {
    async autocomplete({ input, sessionToken }) {
      const answer = await callGoogle("autocomplete", "/places:autocomplete", predictionFields, {
        input,
        ...(sessionToken !== null && { sessionToken }),
        ...(homeCountry !== undefined && { regionCode: homeCountry.toLowerCase() }),
        ...(countryCodes.length > 0 && { includedRegionCodes: countryCodes }),
      });
      if (answer.type === "no_answer") return answer;
      if (answer.type === "unknown_place") return { type: "no_answer" };
      const { success, data } = Suggestions.safeParse(answer.json);
      if (!success) return answer.noAnswer("answer not understood");
      return { type: "predictions", predictions: data.suggestions.flatMap(toPredictions) };
    },

    async details({ placeId, sessionToken }) {
      if (!placeIdFormat.test(placeId)) return { type: "unknown_place" };
      const token = sessionToken === null ? "" : `?sessionToken=${sessionToken}`;
      const answer = await callGoogle("details", `/places/${placeId}${token}`, placeFields);
      if (answer.type !== "ok") return answer;
      const place = parseGooglePlace(placeId, answer.json);
      return place ? { type: "place", place } : answer.noAnswer("answer not understood");
    },
  };
}

type Suggestion = z.infer<typeof Suggestions>["suggestions"][number];

/** Maps one of Google's suggestions. A suggestion that is not a place gives no result. */
function toPredictions({ placePrediction }: Suggestion): PlacePrediction[] {
  if (!placePrediction) return [];
  const { placeId, text, structuredFormat } = placePrediction;
  return [
    {
      placeId,
      description: text.text,
      mainText: structuredFormat?.mainText?.text ?? text.text,
      secondaryText: structuredFormat?.secondaryText?.text ?? "",
    },
  ];
}

/**
 * Whether Google does not know the place. The message is checked, because Google also reports a
 * wrong API key as INVALID_ARGUMENT.
 */
function isUnknownPlace(status: number, json: unknown): boolean {
  const { success, data } = Problem.safeParse(json);
  if (!success) return false;
  const { error } = data;
  if (status === 404) return error.status === "NOT_FOUND";
  return status === 400 && error.status === "INVALID_ARGUMENT" && /place ?id/i.test(error.message);
}
