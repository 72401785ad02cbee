import { describe, expect, it } from '@jest/globals';
import {
  isAllSimulated,
  planServices,
  simulatedPlatforms,
  type ServiceInputs,
  type ServiceProcess,
} from './services.ts';

const both = (port: number): { port: number; monitoring: number } => ({ port, monitoring: port + 1_000 });

function inputs(environment: NodeJS.ProcessEnv = {}): ServiceInputs {
  return {
    secrets: {
      postgresPassword: 'superuser-password',
      servicePasswords: { gateway: 'g', catalog: 'c', results: 'r', scans: 's', webhooks: 'w' },
      callerSecret: 'caller-secret',
      operatorToken: 'operator-token',
      cursorKey: 'cursor-key',
      keyPepper: 'key-pepper',
      idempotencyKey: 'idempotency-key',
      webhooksSecretKey: 'webhooks-key',
    },
    ports: {
      gateway: both(1),
      operator: 2,
      catalog: both(3),
      results: both(4),
      scans: both(5),
      webhooks: both(6),
      dispatcher: both(7),
      simulator: 8,
      receiver: 9,
      postgres: 10,
      redis: 11,
      nats: 12,
    },
    urls: { redis: 'redis://r', nats: 'nats://n' },
    databaseUrl: (service) => `postgresql://${service}`,
    environment,
  };
}

function getEnvironment(name: string, environment: NodeJS.ProcessEnv = {}): Record<string, string> {
  const found = planServices(inputs(environment)).find(
    (service): service is ServiceProcess => service.name === name,
  );
  if (found === undefined) throw new Error(`no ${name}`);
  return found.env;
}

describe('the plan of the services', () => {
  it('contains each process once, and webhooks in both roles', () => {
    expect(planServices(inputs()).map(({ name }) => name)).toEqual([
      'simulator',
      'catalog',
      'results',
      'scans',
      'webhooks-api',
      'webhooks-dispatcher',
      'gateway',
    ]);
  });

  it('gives each service its own database role and no secret it does not need', () => {
    const text = JSON.stringify(getEnvironment('catalog'));
    expect(getEnvironment('catalog')['DATABASE_URL']).toBe('postgresql://catalog');
    for (const secret of [
      'superuser-password',
      'operator-token',
      'key-pepper',
      'idempotency-key',
      'webhooks-key',
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('uses the simulator, or the real platform if its key is set', () => {
    const environment = { CLAUDE_API_KEY: 'real', CLAUDE_MODEL: 'a-model', GEMINI_MODEL: 'ignored' };
    const env = getEnvironment('scans', environment);
    expect(env).toMatchObject({
      CHATGPT_BASE_URL: 'http://127.0.0.1:8/openai',
      CHATGPT_API_KEY: 'simulator',
      PERPLEXITY_API: 'agent',
    });
    expect(env).toMatchObject({ CLAUDE_API_KEY: 'real', CLAUDE_MODEL: 'a-model' });
    expect(env['CLAUDE_BASE_URL']).toBeUndefined();
    expect(env['GEMINI_MODEL']).toBeUndefined();
    expect(simulatedPlatforms(environment)).toEqual(['CHATGPT', 'PERPLEXITY', 'GEMINI', 'AI_OVERVIEWS']);
    expect(isAllSimulated(environment)).toBe(false);
    expect(isAllSimulated({})).toBe(true);
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    ['every platform is simulated', {}, undefined],
    ['ChatGPT is real', { CHATGPT_API_KEY: 'real' }, undefined],
    ['Gemini is real', { GEMINI_API_KEY: 'real' }, 'gemini'],
    ['only others are real', { CLAUDE_API_KEY: 'real', SENTIMENT_JUDGE: 'auto' }, 'off'],
    ['one is chosen', { CLAUDE_API_KEY: 'real', SENTIMENT_JUDGE: 'chatgpt' }, 'chatgpt'],
    ['it has an address', { CLAUDE_API_KEY: 'real', SENTIMENT_JUDGE_BASE_URL: 'http://a' }, undefined],
  ])('lets no simulated LLM judge rate a real answer: %s', (_when, environment, expected) => {
    const env = getEnvironment('scans', environment);
    expect(env['SENTIMENT_JUDGE']).toBe(expected);
    expect(env['SENTIMENT_JUDGE_BASE_URL']).toBe(environment['SENTIMENT_JUDGE_BASE_URL']);
  });

  it('passes only the permitted variables of the environment to a service', () => {
    const environment = {
      PATH: '/bin',
      LOG_LEVEL: 'debug',
      PORT: '1',
      AWS_SECRET_ACCESS_KEY: 'x',
      OTEL_X: 'y',
    };
    const env = getEnvironment('results', environment);
    expect(env).toMatchObject({ PATH: '/bin', LOG_LEVEL: 'debug', PORT: '4', OTEL_X: 'y' });
    expect(env['AWS_SECRET_ACCESS_KEY']).toBeUndefined();
    const chosen = {
      MARKETS: 'US,DE',
      FAILED_ATTEMPTS_PER_MINUTE: '7',
      WEBHOOKS_DNS_SERVERS: '127.0.0.1:53',
    };
    expect(getEnvironment('gateway', chosen)['FAILED_ATTEMPTS_PER_MINUTE']).toBe('7');
    expect(getEnvironment('catalog', chosen)['MARKETS']).toBe('US,DE');
    expect(getEnvironment('webhooks-api', chosen)['WEBHOOKS_DNS_SERVERS']).toBe('127.0.0.1:53');
  });
});
