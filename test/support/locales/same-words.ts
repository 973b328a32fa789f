/** Texts that are the same in English and in another language: names, technical terms, and words that just agree. */
export const SAME_IN: Readonly<Record<string, ReadonlySet<string>>> = {
  de: new Set([
    // names and terms
    "TLS",
    "RCS",
    "SMS",
    "WhatsApp",
    "Webhook",
    "JSON (POST)",
    "Max. SMS",
    "Payload",
    "Header",
    "Node-REDs",
    "__n__\u00a0s",
    "__n__\u00a0min",
    "__n__\u00a0h",
    "__n__\u00a0%",
    "Schema",
    "in PostgreSQL",
    // words that agree
    "Rate",
    "Text",
    "Limits",
    "Name",
    "Position",
    "Radius (m)",
  ]),
};
