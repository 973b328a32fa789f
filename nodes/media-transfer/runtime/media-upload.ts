import { mkdir } from "node:fs/promises";
import { basename } from "node:path";
import { FileSource } from "../../../lib/gateway/http/body/byte-sources";
import { TransferError } from "../../../lib/gateway/http/body/transfer";
import { safeFileName } from "./file-name";
import { extensionOfType, typeOfName } from "./file-types";
import { isMediaType } from "../../../lib/shared/media-types";
import { FieldError } from "../../../lib/shared/messaging-error";
import { quoteValue } from "../../../lib/texts/quote-value";
import { say } from "../../../lib/texts/say";
import { type MEDIA_FIELDS, NEW_BASE_FOLDER } from "../shared/media-fields";
import { type MediaSettings, resolvePath } from "./media-settings";
import {
  ProtectedFiles,
  type RuntimePaths,
  realPath,
  pathWithin,
} from "../../../lib/runtime/channels/protected-files";
import type { MediaRequest, ValuesOf } from "../../../lib/runtime/channels/channel-definition";
import type { FileFacts } from "../../../lib/runtime/channels/send-result";

type Content = Uint8Array | FileSource;

const LONGEST_PATH = 200;

const shown = (value: unknown): string =>
  typeof value === "string" ? say("files.value.text", { value: quoteValue(value) }) : quoteValue(value);

const shownPath = (path: string): string => quoteValue(path, LONGEST_PATH);

const refused = (problem: string): FieldError => new FieldError("FILE_UNREADABLE", "file", problem);

const invalid = (field: string, problem: string): FieldError =>
  new FieldError("FIELD_INVALID", field, problem);

/** @throws FieldError */
async function allowedPath(path: string, base: string | undefined, paths: RuntimePaths): Promise<string> {
  const real = await realPath(path).catch((error: NodeJS.ErrnoException) => {
    throw refused(
      say("files.upload.unreadable-path", {
        path: shownPath(path),
        error: error.code ?? say("files.upload.unknown-error"),
      }),
    );
  });
  if (base !== undefined && pathWithin(await realPath(base).catch(() => base), real) === null) {
    throw refused(say("files.upload.outside", { path: shownPath(path), base: shownPath(base) }));
  }
  if ((await ProtectedFiles.of(paths)).isPrivate(real)) {
    throw refused(say("files.upload.private", { path: shownPath(path) }));
  }
  return real;
}

async function readContent(
  file: unknown,
  { place, fixedPath, baseFolder }: MediaSettings,
  paths: RuntimePaths,
): Promise<Content> {
  if (place === "buffer") {
    if (!(file instanceof Uint8Array)) {
      throw invalid("file", say("files.value.not-buffer", { value: shown(file) }));
    }
    return file;
  }
  if (typeof file !== "string" || file === "") {
    throw invalid("file", say("files.value.not-path", { value: shown(file) }));
  }
  try {
    const limited = !fixedPath && baseFolder !== "";
    const base = limited ? resolvePath(baseFolder, paths.userDir) : paths.userDir;
    if (limited && baseFolder === NEW_BASE_FOLDER) {
      // Creates the folder that an error message may name. A failure appears with the file itself.
      await mkdir(base as string, { recursive: true }).catch(() => {});
    }
    const path = resolvePath(file, base);
    return await FileSource.of(fixedPath ? path : await allowedPath(path, limited ? base : undefined, paths));
  } catch (error) {
    throw error instanceof TransferError
      ? refused(say("files.upload.unreadable", { error: error.message }))
      : error;
  }
}

function getName(given: unknown, path: unknown, type: unknown): string {
  if (given === undefined) {
    const own = typeof path === "string" ? safeFileName(basename(path)) : null;
    return own ?? `file${extensionOfType(String(type ?? ""))}`;
  }
  const name = typeof given === "string" ? safeFileName(given) : null;
  if (name === null) {
    throw invalid("fileName", say("files.value.not-name", { value: shown(given) }));
  }
  return name;
}

function getType(given: unknown, name: string): string {
  if (given === undefined) {
    return typeOfName(name);
  }
  if (typeof given !== "string" || !isMediaType(given)) {
    throw invalid("contentType", say("files.value.not-type", { value: shown(given) }));
  }
  return given;
}

/** @throws FieldError, SetupError */
export async function prepareUpload(
  values: ValuesOf<typeof MEDIA_FIELDS>,
  settings: MediaSettings,
  paths: RuntimePaths,
): Promise<MediaRequest> {
  const data = await readContent(values.file, settings, paths);
  if (data.length > settings.limit) {
    throw new FieldError(
      "FILE_TOO_LARGE",
      "file",
      say("files.value.too-large", { size: data.length, limit: settings.limit }),
    );
  }
  const name = getName(values.fileName, values.file, values.contentType);
  const type = getType(values.contentType, name);
  const file: FileFacts = { name, type, size: data.length };
  const idName = settings.kind === "upload" ? "mediaId" : "attachmentId";
  return {
    fields: { file: { data, name, type } },
    transfer: {},
    progress: "uploading",
    finish: (message, { data: answered }, accepted) => {
      const id = (answered?.[idName] as string | number | undefined) ?? null;
      if (accepted) {
        // Also null, so that the id of another file does not stay in the message.
        Object.assign(message, { [idName]: id });
      }
      return { [idName]: id, file };
    },
  };
}
