/**
 * What a person wrote, or the text of a suggestion that was tapped: of an inbound SMS or message of a messenger.
 * @param payload an inbound event in the service's field names
 * @returns null where there is no text, as for a picture without words
 */
export function inboundText(payload: unknown): string | null {
  const { textMessageContent, content } = payload as Readonly<Record<string, unknown>>;
  const text = textMessageContent ?? content;
  return typeof text === "string" ? text : null;
}
