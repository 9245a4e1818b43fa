import { z } from "zod";
import { askProvider, jsonIn, type Reach, second } from "../kernel/index.ts";
import { placeFrom } from "./google-place.ts";
import type { PlacesProvider, Prediction } from "./provider.ts";

/** `report` hears what went wrong, without what was asked for: it is somebody's address. */
export type GoogleSettings = Partial<Pick<Reach, "timeoutMs">> &
  Pick<Reach, "fetch"> &
  Readonly<{
    apiKey: string;
    /** ISO 3166 codes of where the business is: without them Google would guess by our own address. */
    countries: readonly string[];
    report: (failure: Readonly<{ call: string; problem: string }>) => void;
  }>;

const api = "https://places.googleapis.com/v1";
/** A shopper waits for the answer, letter by letter. */
const limits = { timeoutMs: 4 * second, maxBytes: 256 * 1024 } as const;
/** The dearest field decides what a call costs: these, and no other. */
const predictionFields = [
  "suggestions.placePrediction.placeId",
  "suggestions.placePrediction.text.text",
  "suggestions.placePrediction.structuredFormat.mainText.text",
  "suggestions.placePrediction.structuredFormat.secondaryText.text",
].join(",");
const placeFields = "id,formattedAddress,addressComponents,location,viewport";
const maxCountries = 15;
/** Nothing else is a place id, and nothing else may stand in the path. */
const placeIdShape = /^[A-Za-z0-9_-]{1,500}$/;

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

/** Places API (New) of Google Maps. */
export function google({ apiKey, countries, report, ...reach }: GoogleSettings): PlacesProvider {
  const [home] = countries;
  const places = countries.slice(0, maxCountries).map((code) => code.toLowerCase());

  async function ask(call: string, path: string, fields: string, body?: object) {
    const said = await askProvider({ ...limits, ...reach }, `${api}${path}`, {
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
    if (said.type === "no_answer") return noAnswer(said.problem);
    const json = jsonIn(said.text);
    if (said.status === 200) return { type: "ok", json, noAnswer } as const;
    if (isUnknownPlace(said.status, json)) return { type: "unknown_place" } as const;
    return noAnswer(`status ${said.status}`);
  }

  return {
    async autocomplete({ input, sessionToken }) {
      const answer = await ask("autocomplete", "/places:autocomplete", predictionFields, {
        input,
        ...(sessionToken !== null && { sessionToken }),
        ...(home !== undefined && { regionCode: home.toLowerCase() }),
        ...(places.length > 0 && { includedRegionCodes: places }),
      });
      if (answer.type === "no_answer") return answer;
      if (answer.type === "unknown_place") return { type: "no_answer" };
      const { success, data } = Suggestions.safeParse(answer.json);
      if (!success) return answer.noAnswer("answer not understood");
      return { type: "predictions", predictions: data.suggestions.flatMap(predictionFrom) };
    },

    async details({ placeId, sessionToken }) {
      if (!placeIdShape.test(placeId)) return { type: "unknown_place" };
      const token = sessionToken === null ? "" : `?sessionToken=${sessionToken}`;
      const answer = await ask("details", `/places/${placeId}${token}`, placeFields);
      if (answer.type !== "ok") return answer;
      const place = placeFrom(placeId, answer.json);
      return place ? { type: "place", place } : answer.noAnswer("answer not understood");
    },
  };
}

type Suggestion = z.infer<typeof Suggestions>["suggestions"][number];

/** A suggestion of another kind, which was not asked for, is left out. */
function predictionFrom({ placePrediction }: Suggestion): Prediction[] {
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

/** Google also calls our own mistakes INVALID_ARGUMENT, a wrong key among them: only its words tell. */
function isUnknownPlace(status: number, json: unknown): boolean {
  const { success, data } = Problem.safeParse(json);
  if (!success) return false;
  const { error } = data;
  if (status === 404) return error.status === "NOT_FOUND";
  return status === 400 && error.status === "INVALID_ARGUMENT" && /place ?id/i.test(error.message);
}
