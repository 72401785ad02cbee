import type { ResponseInfo } from './options.ts';

export type WithResponse<T> = { data: T; response: ResponseInfo };

/** Promise of the data of a response. `withResponse()` also has its status, request id and headers. */
export class ApiPromise<T> extends Promise<T> {
  /** `then` and `catch` return ordinary promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #result: Promise<WithResponse<T>>;

  constructor(result: Promise<WithResponse<T>>) {
    super((resolve) => resolve(result.then(({ data }) => data)));
    this.#result = result;
  }

  withResponse(): Promise<WithResponse<T>> {
    return this.#result;
  }
}
