import { type ResponseHead, type Transfer, TransferError } from "../../../lib/gateway/http/body/transfer";
import { safeFileName } from "./file-name";
import { extensionOfType, UNKNOWN_TYPE } from "./file-types";
import type { ExistingFile, MEDIA_FIELDS } from "../shared/media-fields";
import { FieldError, SetupError } from "../../../lib/shared/messaging-error";
import { quoteValue } from "../../../lib/texts/quote-value";
import { say } from "../../../lib/texts/say";
import { dispositionFileName } from "./content-disposition";
import type { FieldValues } from "../../../lib/runtime/fields/field-reader";
import { FileSink } from "./file-sink";
import { type MediaSettings, resolvePath } from "./media-settings";
import { ProtectedFiles, type RuntimePaths, realPath } from "../../../lib/runtime/channels/protected-files";
import type { MediaRequest, ValuesOf } from "../../../lib/runtime/channels/channel-definition";
import type { FileFacts } from "../../../lib/runtime/channels/send-result";

/** Prefers the file name of the service; otherwise builds one from media id and type. */
function getName({ contentDisposition, contentType }: ResponseHead, mediaId: string): string {
  const given = dispositionFileName(contentDisposition);
  return (
    (given === null ? null : safeFileName(given)) ??
    `${safeFileName(mediaId) ?? "file"}${extensionOfType(contentType ?? "")}`
  );
}

function chosenName(saveAs: unknown): string | null {
  if (saveAs === undefined) {
    return null;
  }
  const name = typeof saveAs === "string" ? safeFileName(saveAs) : null;
  if (name === null) {
    const problem = say("files.value.not-name", { value: quoteValue(saveAs) });
    throw new FieldError("FIELD_INVALID", "saveAs", problem);
  }
  return name;
}

/** @throws SetupError for a protected folder, FieldError for a name */
async function checkTarget(
  folder: string,
  chosen: string | null,
  existing: ExistingFile,
  paths: RuntimePaths,
): Promise<(name: string) => boolean> {
  const [own, real] = await Promise.all([ProtectedFiles.of(paths), realPath(folder).catch(() => folder)]);
  if (own.ownsFolder(real)) {
    throw new SetupError(
      "BAD_SETTING",
      say("files.setting.protected-folder", { folder: quoteValue(folder) }),
    );
  }
  if (chosen === null && existing === "overwrite" && own.isUserDir(real)) {
    throw new FieldError("FIELD_INVALID", "saveAs", say("files.download.name-required"));
  }
  const isProtected = (name: string): boolean => own.ownsFile(real, name);
  if (chosen !== null && isProtected(chosen)) {
    const problem = say("files.download.protected-name", { name: quoteValue(chosen) });
    throw new FieldError("FIELD_INVALID", "saveAs", problem);
  }
  return isProtected;
}

/** @throws FieldError, SetupError */
export async function prepareDownload(
  values: ValuesOf<typeof MEDIA_FIELDS>,
  { place, existing, limit }: MediaSettings,
  paths: RuntimePaths,
): Promise<MediaRequest> {
  const mediaId = typeof values.mediaId === "string" ? values.mediaId.trim() : values.mediaId;
  const id = String(mediaId);
  let file: FileSink | null = null;
  let transfer: Transfer = { limit };
  if (place === "file") {
    const chosen = chosenName(values.saveAs);
    const folder = resolvePath(String(values.folder), paths.userDir);
    const isProtected = await checkTarget(folder, chosen, existing, paths);
    transfer = {
      limit,
      // Each attempt has a new file; the file of an aborted attempt is removed.
      sink: async (head) => {
        const name = chosen ?? getName(head, id);
        if (isProtected(name)) {
          throw new TransferError("FILE_UNWRITABLE", say("files.download.protected-name", { name }));
        }
        file = await FileSink.create(folder, name, existing);
        return file;
      },
    };
  }
  return {
    fields: { mediaId },
    transfer,
    progress: "downloading",
    finish: (message, { data }, accepted) => {
      if (!accepted) {
        return { mediaId: id };
      }
      const facts = toFacts(data ?? {}, file, id);
      const content = data?.content as Buffer;
      Object.assign(message, {
        contentType: facts.type,
        filename: facts.path ?? facts.name,
        ...(file === null && { payload: content }),
      });
      return { mediaId: id, file: facts };
    },
  };
}

function toFacts(data: FieldValues, file: FileSink | null, mediaId: string): FileFacts {
  const contentType = (data.contentType as string | null) ?? null;
  const type = contentType ?? UNKNOWN_TYPE;
  if (file?.path) {
    return { name: file.name, type, size: file.size, path: file.path };
  }
  const contentDisposition = (data.contentDisposition as string | null) ?? null;
  const name = getName({ contentType, contentDisposition }, mediaId);
  return { name, type, size: (data.content as Buffer).length };
}
