import {
  type ActivityQuestion,
  activityPath,
  type EntryDetails,
  type FoundEntries,
} from "../../shared/activity";
import { READ_HISTORY } from "../../shared/history";

/** Whether the user may see complete numbers. */
const seesNumbers = (): boolean => RED.user.hasPermission(READ_HISTORY);

/** Rejects where the runtime gives no answer, or says that there is nothing. */
function ask<Body>(question: ActivityQuestion, input: object): Promise<Body> {
  return new Promise((resolve, reject) => {
    $.ajax({
      url: activityPath(question, seesNumbers()),
      method: "POST",
      contentType: "application/json",
      data: JSON.stringify(input),
    }).then(
      (body: Body | { readonly error: string }) =>
        typeof body === "object" && body !== null && "error" in body
          ? reject(new Error(body.error))
          : resolve(body as Body),
      () => reject(new Error("down")),
    );
  });
}

/** What an entry unfolds to; with complete numbers for users who may see them. */
export const readDetails = (epoch: string, id: number): Promise<EntryDetails> => ask("entry", { epoch, id });

/** The entries about a number in any spelling. */
export const findNumber = (text: string): Promise<FoundEntries> => ask("find", { text });
