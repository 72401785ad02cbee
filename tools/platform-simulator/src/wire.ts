import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { KnownBrand } from './catalogue.ts';
import type { Simulated, Trouble } from './simulator-state.ts';

/** A request to one of the simulated services, with its parsed body. */
export type WireCall = {
  headers: IncomingHttpHeaders;
  path: string;
  query: URLSearchParams;
  body: unknown;
  /** The simulator's own origin, for links to it. */
  origin: string;
  day: string;
  brands: readonly KnownBrand[];
  trouble: Trouble | null;
};

export type WireResponse = { status: number; headers?: Record<string, string>; body: unknown };

/** The API of one simulated service. */
export type Wire = {
  platform: Simulated;
  method: 'GET' | 'POST';
  path: RegExp;
  readKey(call: WireCall): string | undefined;
  respond(call: WireCall): WireResponse;
  /** An error response in the service's own format. */
  refuse(status: number, retryAfterSeconds: number | undefined): WireResponse;
};

export function ok(body: unknown): WireResponse {
  return { status: 200, body };
}

export function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}

export function parseRequest<T>(schema: z.ZodType<T>, body: unknown): T | null {
  const parsed = schema.safeParse(body);
  return parsed.success ? parsed.data : null;
}

export function readBearerToken({ headers }: WireCall): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
}

export function getHost(url: string): string {
  return new URL(url).hostname.replace(/^www\./, '');
}

/** The market in an instruction ("… is in Germany (DE)."); the US without one, as in the services. */
export function parseMarketInstruction(instruction: string | undefined): string {
  return /\(([A-Z]{2})\)/.exec(instruction ?? '')?.[1] ?? 'US';
}

/** Why an answer has no text: without a stated reason, or by a refusal. */
export function missingText(trouble: Trouble | null): 'empty' | 'refusal' | null {
  return trouble?.kind === 'empty' || trouble?.kind === 'refusal' ? trouble.kind : null;
}

/** A search page declines to answer by showing no overview. */
export function isWithoutOverview(trouble: Trouble | null): boolean {
  return trouble?.kind === 'no-overview' || trouble?.kind === 'refusal';
}

/** Length in code points, as the services count it. */
export function countCodePoints(text: string): number {
  return Array.from(text).length;
}
