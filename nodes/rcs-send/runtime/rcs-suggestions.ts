/**
 * Short forms of RCS suggestions:
 *
 *     "Yes"                                        a reply that returns its text
 *     { text: "Yes", data: "order-7-yes" }         a reply that returns other data
 *     { text: "Website", url: "https://…" }        opens an address
 *     { text: "Call us", phone: "+41791234567" }   dials a number
 *     { text: "Route", place: "Bahnhof Bern" }     shows a place, by name or as { latitude, longitude }
 *
 * Suggestions in the service's full form, and other values, stay unchanged.
 */
type Suggestion = Readonly<Record<string, unknown>>;

const reply = (displayText: unknown, data: unknown): Suggestion => ({
  reply: { displayText, postback: { data } },
});

const ACTIONS: Readonly<Record<string, (value: unknown) => Suggestion>> = {
  url: (url) => ({ urlAction: { openUrl: { url } } }),
  phone: (phone) => ({ dialerAction: { dialPhoneNumber: { phoneNumber: withoutSpaces(phone) } } }),
  place: (place) => ({
    mapAction: { showLocation: { location: typeof place === "string" ? { query: place } : place } },
  }),
};

const withoutSpaces = (phone: unknown): unknown =>
  typeof phone === "string" ? phone.replace(/[\s()./-]/g, "") : phone;

function expandOne(entry: unknown): unknown {
  if (typeof entry === "string" || typeof entry === "number") {
    return reply(String(entry), String(entry));
  }
  if (typeof entry !== "object" || entry === null || !Object.hasOwn(entry, "text")) {
    return entry;
  }
  const { text, data, ...rest } = entry as Record<string, unknown>;
  const [action, ...others] = Object.keys(rest);
  if (action === undefined) {
    return reply(text, data ?? text);
  }
  const build = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (build === undefined || others.length > 0) {
    return entry;
  }
  const postback = data === undefined ? {} : { postback: { data } };
  return { action: { displayText: text, ...build(rest[action]), ...postback } };
}

/** A single suggestion counts as a list: JSONata returns it without one. */
export function expandSuggestions(value: unknown): unknown {
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? [expandOne(value)] : value;
  }
  return (Array.isArray(value) ? value : [value]).map(expandOne);
}

export function expandCards(cards: unknown): unknown {
  if (!Array.isArray(cards)) {
    return cards;
  }
  return cards.map((card: unknown) => {
    if (typeof card !== "object" || card === null || !Object.hasOwn(card, "suggestions")) {
      return card;
    }
    const { suggestions, ...rest } = card as Record<string, unknown>;
    const empty = Array.isArray(suggestions) && suggestions.length === 0;
    return empty ? rest : { ...rest, suggestions: expandSuggestions(suggestions) };
  });
}
