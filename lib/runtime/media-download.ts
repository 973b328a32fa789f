import type { AnswerHead, Transfer } from "../gateway/transfer";
import { safeFileName } from "../shared/file-name";
import { extensionOfType, UNKNOWN_TYPE } from "../shared/media-types";
import { FieldError } from "../shared/messaging-error";
import { dispositionFileName } from "./content-disposition";
import type { FieldValues } from "./field-reader";
import { FileSink } from "./file-sink";
import { type MediaSettings, resolvePath } from "./media-settings";
import type { Preparation } from "./send-kind";
import type { FileFacts } from "./send-result";

/** The name of a file: the service's if it gives one that can be used, else one made of id and type. */
function nameOf({ contentDisposition, contentType }: AnswerHead, mediaId: string): string {
  const given = dispositionFileName(contentDisposition);
  return (
    (given === null ? null : safeFileName(given)) ??
    `${safeFileName(mediaId) ?? "file"}${extensionOfType(contentType ?? "")}`
  );
}

/** @throws FieldError for a name of which nothing is left */
function chosenName(saveAs: unknown): string | null {
  if (saveAs === undefined) {
    return null;
  }
  const name = typeof saveAs === "string" ? safeFileName(saveAs) : null;
  if (name === null) {
    throw new FieldError(
      "FIELD_INVALID",
      "saveAs",
      `must be a file name, but is '${String(saveAs).slice(0, 40)}'`,
    );
  }
  return name;
}

/**
 * Makes a download ready: into the message's payload, or into a file in the folder of the node's configuration.
 * @throws FieldError, SetupError
 */
export async function prepareDownload(
  values: FieldValues,
  { place, existing, limit }: MediaSettings,
  userDir: string | undefined,
): Promise<Preparation> {
  const mediaId = typeof values.mediaId === "string" ? values.mediaId.trim() : values.mediaId;
  let file: FileSink | null = null;
  let transfer: Transfer = { limit };
  if (place === "file") {
    const folder = resolvePath(String(values.folder), userDir);
    const chosen = chosenName(values.saveAs);
    transfer = {
      limit,
      // Anew for each attempt: what a broken off one wrote is gone by then.
      sink: async (head) => {
        file = await FileSink.create(folder, chosen ?? nameOf(head, String(mediaId)), existing);
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
        return { mediaId: String(mediaId) };
      }
      const facts = factsOf(data ?? {}, file, String(mediaId));
      const content = data?.content as Buffer;
      Object.assign(message, {
        contentType: facts.type,
        filename: facts.path ?? facts.name,
        ...(file === null && { payload: content }),
      });
      return { mediaId: String(mediaId), file: facts };
    },
  };
}

function factsOf(data: FieldValues, file: FileSink | null, mediaId: string): FileFacts {
  const contentType = (data.contentType as string | null) ?? null;
  const type = contentType ?? UNKNOWN_TYPE;
  if (file?.path) {
    return { name: file.name, type, size: file.size, path: file.path };
  }
  const contentDisposition = (data.contentDisposition as string | null) ?? null;
  const name = nameOf({ contentType, contentDisposition }, mediaId);
  return { name, type, size: (data.content as Buffer).length };
}
