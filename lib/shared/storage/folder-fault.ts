export type FolderFault = "part-variable" | "home";

/** Node-RED replaces a variable that is the whole text. */
export function findFolderFault(typed: string): FolderFault | null {
  if (/\$\{[^}]*\}|\$\([^)]*\)/.test(typed)) {
    return "part-variable";
  }
  return typed.trim().startsWith("~") ? "home" : null;
}
