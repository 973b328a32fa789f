/** `text` is the label of the button, `data` the postback. Values of earlier kinds stay, for a change back. */
export interface SuggestionDraft {
  kind: SuggestionKind;
  text: string;
  data: string;
  fields: Record<string, string>;
  /** Written again unchanged unless the user changes it. */
  readonly original?: unknown;
}

/** The first `needed` fields are required. */
export const SUGGESTION_KINDS = {
  reply: { fields: [], needed: 0 },
  url: { fields: ["url"], needed: 1 },
  phone: { fields: ["phone"], needed: 1 },
  place: { fields: ["place"], needed: 1 },
  coordinates: { fields: ["latitude", "longitude", "label"], needed: 2 },
  share: { fields: [], needed: 0 },
  calendar: { fields: ["startTime", "endTime", "eventTitle", "eventText"], needed: 3 },
  /** Any other JSON: shown and moved as a whole. */
  other: { fields: [], needed: 0 },
} as const satisfies Record<string, { fields: readonly string[]; needed: number }>;

export type SuggestionKind = keyof typeof SUGGESTION_KINDS;

export const fieldsOfKind = (kind: SuggestionKind): readonly string[] => SUGGESTION_KINDS[kind].fields;

export type Reading<Item> =
  | { readonly items: Item[]; readonly fault: null }
  | { readonly items: null; readonly fault: ReadingFault };

export interface ReadingFault {
  readonly rule: "not-json" | "not-a-list" | "not-an-object" | "not-a-text";
  readonly values?: Readonly<Record<string, string | number>>;
}

type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const DECIMAL = /^-?\d+(\.\d+)?$/;
export const numberOr = (text: string): number | string => (DECIMAL.test(text) ? Number(text) : text);

export const blankSuggestion = (text = ""): SuggestionDraft => ({
  kind: "reply",
  text,
  data: "",
  fields: {},
});

const lone = (value: unknown, key: string): unknown =>
  isObject(value) && Object.keys(value).length === 1 ? value[key] : undefined;

/** Returns the texts of an object with the first key and no unknown keys; otherwise null. */
function readTexts(value: unknown, fields: readonly string[], keys = fields): Record<string, string> | null {
  if (!isObject(value) || value[keys[0] as string] === undefined) {
    return null;
  }
  const found: Record<string, string> = {};
  for (const [key, each] of Object.entries(value)) {
    const field = fields[keys.indexOf(key)];
    const number = typeof each === "number" && (key === "latitude" || key === "longitude");
    if (field === undefined || !(number || typeof each === "string")) {
      return null;
    }
    found[field] = String(each);
  }
  return found;
}

const EVENT_KEYS = ["startTime", "endTime", "title", "description"] as const;

type Found = { kind: SuggestionKind; fields: Record<string, string> };
const found = (kind: SuggestionKind, fields: Record<string, string> | null): Found | null =>
  fields && { kind, fields };

/** Returns null for actions without fields in the composer. */
function readAction(action: Json): Found | null {
  const map = lone(action, "mapAction");
  const location = lone(lone(map, "showLocation"), "location");
  const share = lone(map, "requestLocationPush");
  const event = lone(lone(action, "calendarAction"), "createCalendarEvent");
  const dial = lone(lone(action, "dialerAction"), "dialPhoneNumber");
  return (
    found("url", readTexts(lone(lone(action, "urlAction"), "openUrl"), ["url"])) ??
    found("phone", readTexts(dial, ["phone"], ["phoneNumber"])) ??
    found("place", readTexts(location, ["place"], ["query"])) ??
    found("coordinates", readTexts(location, fieldsOfKind("coordinates"))) ??
    found("calendar", readTexts(event, fieldsOfKind("calendar"), EVENT_KEYS)) ??
    (isObject(share) && Object.keys(share).length === 0 ? { kind: "share", fields: {} } : null)
  );
}

function readShort(rest: Json): Found | null {
  if (Object.keys(rest).length === 0) {
    return { kind: "reply", fields: {} };
  }
  return (
    found("url", readTexts(rest, ["url"])) ??
    found("phone", readTexts(rest, ["phone"])) ??
    found("place", readTexts(rest, ["place"])) ??
    found("coordinates", readTexts(lone(rest, "place"), fieldsOfKind("coordinates")))
  );
}

/** Never fails: a suggestion without fields gets the kind `other`. */
export function readSuggestion(original: unknown): SuggestionDraft {
  const other: SuggestionDraft = { kind: "other", text: "", data: "", fields: {}, original };
  const draft = (text: unknown, data: unknown, rest: Found | null): SuggestionDraft =>
    rest !== null && typeof text === "string" && (data === undefined || typeof data === "string")
      ? { kind: rest.kind, text, data: data ?? "", fields: { ...rest.fields }, original }
      : other;
  if (typeof original === "string" || typeof original === "number") {
    return draft(String(original), undefined, { kind: "reply", fields: {} });
  }
  if (!isObject(original)) {
    return other;
  }
  if (Object.hasOwn(original, "text")) {
    const { text, data, ...rest } = original;
    return draft(text, data, readShort(rest));
  }
  const full = lone(original, "reply") ?? lone(original, "action");
  if (!isObject(full)) {
    return other;
  }
  const { displayText, postback, ...rest } = full;
  const data = lone(postback, "data");
  if (postback !== undefined && data === undefined) {
    return other;
  }
  if (Object.hasOwn(original, "action")) {
    return draft(displayText, data, readAction(rest));
  }
  const isReply = data !== undefined && Object.keys(rest).length === 0;
  return draft(displayText, data, isReply ? { kind: "reply", fields: {} } : null);
}

function isUnchanged({ original, kind, text, data, fields }: SuggestionDraft): boolean {
  if (original === undefined) {
    return false;
  }
  const before = readSuggestion(original);
  return (
    kind === before.kind &&
    (kind === "other" ||
      (text === before.text &&
        data === before.data &&
        fieldsOfKind(kind).every((name) => (fields[name] ?? "") === (before.fields[name] ?? ""))))
  );
}

/** Unchanged if it was not edited; otherwise the short form, if there is one. */
export function buildSuggestion(draft: SuggestionDraft): unknown {
  const { kind, text, data, fields, original } = draft;
  if (kind === "other" || isUnchanged(draft)) {
    return original;
  }
  const field = (name: string): string => fields[name] ?? "";
  const filled = (entries: Json): Json =>
    Object.fromEntries(Object.entries(entries).filter(([, v]) => v !== ""));
  const short = (rest: Json): Json => ({ text, ...rest, ...filled({ data }) });
  const full = (action: Json): Json => ({
    action: { displayText: text, ...action, ...(data === "" ? {} : { postback: { data } }) },
  });
  switch (kind) {
    case "reply":
      return data === "" ? text : short({});
    case "url":
    case "phone":
    case "place":
      return short({ [kind]: field(kind) });
    case "coordinates": {
      const [latitude, longitude] = [numberOr(field("latitude")), numberOr(field("longitude"))];
      return short({ place: filled({ latitude, longitude, label: field("label") }) });
    }
    case "share":
      return full({ mapAction: { requestLocationPush: {} } });
    case "calendar": {
      const names = fieldsOfKind("calendar");
      const event = Object.fromEntries(EVENT_KEYS.map((key, at) => [key, field(names[at] as string)]));
      return full({ calendarAction: { createCalendarEvent: filled(event) } });
    }
  }
}

/** A blank text is an empty list. */
export function readList(json: string): Reading<unknown> {
  if (json.trim() === "") {
    return { items: [], fault: null };
  }
  try {
    const items: unknown = JSON.parse(json);
    return Array.isArray(items) ? { items, fault: null } : { items: null, fault: { rule: "not-a-list" } };
  } catch (error) {
    return { items: null, fault: { rule: "not-json", values: { reason: (error as Error).message } } };
  }
}

export function readSuggestions(json: string): Reading<SuggestionDraft> {
  const list = readList(json);
  return list.items === null ? list : { items: list.items.map(readSuggestion), fault: null };
}

export const writeSuggestions = (drafts: readonly SuggestionDraft[]): string =>
  JSON.stringify(drafts.map(buildSuggestion));
