import { BrandVisibilityClient } from '@bv/sdk';
import { type FullStack, startFullStack } from '@bv/testkit';

/** The whole product with one organisation, its key, and a partner that is linked to it. */
export async function startWithCustomer() {
  const product = await startFullStack();
  try {
    return { ...(await addCustomer(product)), stop: () => product.stop() };
  } catch (error) {
    // The test has nothing to stop.
    await product.stop();
    throw error;
  }
}

async function addCustomer({ stack }: FullStack) {
  const operate = async (path: string, body: unknown, method = 'POST') => {
    const response = await fetch(`${stack.operatorUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${stack.secrets.operatorToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: { id: string; key: string } }).data;
  };
  const scopes = ['read', 'write'];
  const { id: orgId } = await operate('/orgs', { name: 'Acme Inc', tier: 'scale' });
  const { key } = await operate(`/orgs/${orgId}/keys`, { scopes, per_minute: 6000 });
  const { id: partner } = await operate('/partners', { name: 'Agency' });
  const { key: partnerKey } = await operate(`/partners/${partner}/keys`, { scopes, per_minute: 6000 });
  await operate(`/partners/${partner}/links/${orgId}`, { scope: 'read_write', external_ref: 'c-1' }, 'PUT');
  const { baseUrl } = stack;
  const connect = (apiKey: string) => new BrandVisibilityClient({ baseUrl, apiKey });
  return {
    baseUrl,
    orgId,
    key,
    partnerKey,
    client: connect(key),
    partner: connect(partnerKey),
  };
}

export type Customer = Awaited<ReturnType<typeof startWithCustomer>>;
