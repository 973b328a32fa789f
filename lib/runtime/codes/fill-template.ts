const PLACE = /\{\{\s*(code|minutes)\s*\}\}/g;

/**
 * The text of a message with a code.
 * @param validFor ms; `{{minutes}}` are whole ones, rounded down
 */
export function fillTemplate(template: string, code: string, validFor: number): string {
  return template.replace(PLACE, (_place, name) =>
    name === "code" ? code : String(Math.floor(validFor / 60_000)),
  );
}
