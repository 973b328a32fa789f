/** The key for the texts of an account. */
export class TextKey {
  #loading: Promise<Buffer> | null = null;
  /** 32 bytes; null until it is there. */
  known: Buffer | null = null;
  /** Why it is not there; null where nobody asked, or it is. */
  error: Error | null = null;

  /** @param load `Account.key("texts")` */
  constructor(private readonly load: () => Promise<Buffer>) {}

  /** A failure is not kept: its cause may be gone the next time. @throws SetupError, StoreError (as a rejection) */
  get(): Promise<Buffer> {
    if (this.known !== null) {
      return Promise.resolve(this.known);
    }
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  async #load(): Promise<Buffer> {
    try {
      this.known = await this.load();
      this.error = null;
      return this.known;
    } catch (error) {
      this.error = error as Error;
      throw error;
    }
  }
}
