/** A name that Node-RED accepts for an environment variable in an edit dialog. */
const NAME = "[a-zA-Z_][a-zA-Z0-9_]*";
const WHOLE_NAME = new RegExp(`^${NAME}$`);
/** A variable in a path whose braces are escaped. */
const ESCAPED = new RegExp(`\\$%7B(${NAME})%7D`, "g");

/**
 * The name in a text that is nothing but an environment variable, written `${NAME}` or `$(NAME)`, with or without
 * blanks around it. Null for any other text. Node-RED itself replaces only those without any white space.
 */
export const variableName = (text: string): string | null =>
  /^\s*\$[{(]([^)}]+)[)}]\s*$/.exec(text)?.[1] ?? null;

/** Whether Node-RED replaces the text as a variable, so that an edit dialog accepts it unchecked. */
export function isVariable(text: string): boolean {
  const name = variableName(text);
  return name !== null && WHOLE_NAME.test(name) && (text === `\${${name}}` || text === `$(${name})`);
}

/** Writes the variables of an escaped path as `${NAME}` again: only the runtime knows their value. */
export const showVariables = (path: string): string => path.replace(ESCAPED, "$${$1}");
