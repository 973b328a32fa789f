import { MODULE } from "./texts";

/** Parts of the editor's code that the page gets when somebody opens them: files of their own, which the build writes to `resources/`. */
const parts = new Map<string, unknown>();
const loading = new Map<string, Promise<void>>();

/** Called by the file of a part. */
export function provideLatePart(name: string, part: unknown): void {
  parts.set(name, part);
}

/** The part of this name; its file is fetched once. Rejects where it cannot be had now; another call tries again. */
export async function latePart<Part>(name: string): Promise<Part> {
  const request = loading.get(name) ?? fetchPart(name);
  loading.set(name, request);
  await request.catch((error: unknown) => {
    loading.delete(name);
    throw error;
  });
  return parts.get(name) as Part;
}

function fetchPart(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `resources/${MODULE}/${name}.js`;
    script.onload = () => (parts.has(name) ? resolve() : reject(new Error(`${name} does not run`)));
    script.onerror = () => {
      script.remove();
      reject(new Error(`${name} cannot be loaded`));
    };
    document.head.append(script);
  });
}
