import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FullStack, startFullStack } from '@bv/testkit';
import { expect } from '@jest/globals';
import { operator, operatorHere, type Outcome } from './command-line.ts';

/** The whole product, and an organisation with a write key that the command line created. */
export class Product {
  readonly stack: FullStack['stack'];
  readonly environment: Record<string, string>;
  /** A directory for files to import. */
  readonly scratch: string;
  orgId = '';
  key = '';
  readonly #full: FullStack;

  private constructor(full: FullStack, scratch: string) {
    const { stack } = full;
    this.#full = full;
    this.stack = stack;
    this.scratch = scratch;
    this.environment = { OPERATOR_URL: stack.operatorUrl, OPERATOR_TOKEN: stack.secrets.operatorToken };
  }

  static async start(): Promise<Product> {
    const scratch = await mkdtemp(join(tmpdir(), 'bv-operator-files-'));
    const product = new Product(await startFullStack(), scratch);
    try {
      await product.#addOrg();
      return product;
    } catch (error) {
      // The test has nothing to stop.
      await product.stop();
      throw error;
    }
  }

  async #addOrg(): Promise<void> {
    const org = await this.json('orgs', 'create', '--name', 'Acme Inc', '--tier', 'scale');
    const scopes = ['--scopes', 'read,write', '--per-minute', '6000'];
    this.orgId = org.id;
    this.key = (await this.json('keys', 'create', '--org', org.id, ...scopes)).key;
  }

  readonly run = (words: string[], input?: string | AsyncIterable<string>): Promise<Outcome> =>
    input === undefined
      ? operatorHere(words, this.environment)
      : operator(words, { environment: this.environment, input });

  /** Runs a command with `--json` that must succeed. Returns the parsed output. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of every shape
  readonly json = async (...words: string[]): Promise<any> => {
    const outcome = await this.run([...words, '--json']);
    expect(outcome).toMatchObject({ status: 0 });
    return JSON.parse(outcome.out);
  };

  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of every shape
  readonly api = async (method: string, path: string, key: string, body?: unknown): Promise<any> => {
    const response = await fetch(this.stack.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };

  async stop(): Promise<void> {
    await this.#full.stop();
    await rm(this.scratch, { recursive: true, force: true });
  }
}
