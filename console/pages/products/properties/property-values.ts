import type { BusinessSchemas } from "@duka/sdk/business";
import { createRowKey } from "../../../ui/row-key.ts";

export type Attribute = BusinessSchemas["AttributeRecord"];

/** How the value of a property is entered. Lists and objects are entered as JSON. */
type PropertyType = "text" | "number" | "boolean" | "json";

export const propertyTypes: readonly Readonly<{ value: PropertyType; name: string }>[] = [
  { value: "text", name: "Text" },
  { value: "number", name: "Number" },
  { value: "boolean", name: "Yes or no" },
  { value: "json", name: "JSON" },
];

export type PropertyValues = Readonly<{
  key: string;
  name: string;
  type: PropertyType;
  text: string;
}>;

type Properties = BusinessSchemas["ProductRecord"]["properties"];

export const toPropertyValues = (properties: Properties): readonly PropertyValues[] =>
  Object.entries(properties).map(([name, value]) => ({ key: name, name, ...toInput(value) }));

function toInput(value: unknown): Pick<PropertyValues, "type" | "text"> {
  switch (typeof value) {
    case "string":
      return { type: "text", text: value };
    case "number":
      return { type: "number", text: String(value) };
    case "boolean":
      return { type: "boolean", text: String(value) };
    default:
      return { type: "json", text: JSON.stringify(value) };
  }
}

export const newProperty = (): PropertyValues => ({
  key: createRowKey(),
  name: "",
  type: "text",
  text: "",
});

/** An empty property with the name and the type that an attribute prescribes. */
export const propertyOf = ({ key, type }: Attribute): PropertyValues => ({
  key: createRowKey(),
  name: key,
  type: type === "select" ? "text" : type,
  text: type === "boolean" ? "true" : "",
});

/** @throws Error for a number or JSON that cannot be read, naming its property. */
export const toProperties = (values: readonly PropertyValues[]): Record<string, unknown> =>
  Object.fromEntries(values.map((property) => [property.name.trim(), toValue(property)]));

function toValue({ name, type, text }: PropertyValues): unknown {
  switch (type) {
    case "text":
      return text;
    case "boolean":
      return text === "true";
    case "number":
      if (text.trim() === "" || !Number.isFinite(Number(text)))
        throw new Error(`The property ${name} must be a number.`);
      return Number(text);
    case "json":
      try {
        return JSON.parse(text);
      } catch {
        throw new Error(`The property ${name} must be valid JSON, such as ["red", "blue"].`);
      }
  }
}
