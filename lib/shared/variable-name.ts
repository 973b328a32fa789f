/** As Node-RED accepts it in a dialog. */
const NAME = "[a-zA-Z_][a-zA-Z0-9_]*";
const WHOLE_NAME = new RegExp(`^${NAME}$`);
/** A variable in a path with escaped braces. */
const ESCAPED = new RegExp(`\\$%7B(${NAME})%7D`, "g");

/** Returns the name in `${NAME}` or `$(NAME)`. Node-RED ignores texts with white space. */
export const variableName = (text: string): string | null =>
  /^\s*\$[{(]([^)}]+)[)}]\s*$/.exec(text)?.[1] ?? null;

/** True if Node-RED replaces the text. */
export function isVariable(text: string): boolean {
  const name = variableName(text);
  return name !== null && WHOLE_NAME.test(name) && (text === `\${${name}}` || text === `$(${name})`);
}

/** Restores `${NAME}`, whose value only the runtime has. */
export const showVariables = (path: string): string => path.replace(ESCAPED, "$${$1}");
