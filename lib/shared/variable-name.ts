/**
 * The name in a text that is nothing but an environment variable, written `${NAME}` or `$(NAME)`, with or without
 * blanks around it. Null for any other text. Node-RED itself replaces only those without any white space.
 */
export const variableName = (text: string): string | null =>
  /^\s*\$[{(]([^)}]+)[)}]\s*$/.exec(text)?.[1] ?? null;
