import { isApiError } from '@bv/sdk';
import { useEffect } from 'preact/hooks';
import { Answers } from './answers/answers.tsx';
import { useData } from './data/use-data.ts';
import { Choices } from './frame/header.tsx';
import { Refused } from './frame/refused.tsx';
import { Loaded } from './frame/section.tsx';
import { Overview } from './overview.tsx';
import { useView } from './state/navigation.ts';

/** The page of a key: what is looked at, and the pictures or the answers of it. */
export function Explorer({ onClose }: { onClose: () => void }) {
  const [view, navigate] = useView();
  const orgs = useData('orgs', {}, (client) => client.listOrgs({ limit: 200 }).all());
  const orgId = view.org ?? (orgs.state === 'done' ? orgs.value[0]?.id : undefined);
  const inOrg = orgId === undefined ? undefined : { orgId };
  const brands = useData('brands', inOrg, (client, input) =>
    client.listBrands({ ...input, is_own: true, limit: 200 }).all(),
  );
  const org = useData('org', inOrg, (client, input) => client.getOrg(input));
  const hasNoOrg = orgs.state === 'done' && orgId === undefined;
  const own = brands.state === 'done' ? brands.value : [];
  const brand = own.find(({ id }) => id === view.brand) ?? (view.brand === undefined ? own[0] : undefined);
  useEffect(() => {
    document.title = `${brand === undefined ? '' : `${brand.name} · `}Explorer · Brand Visibility Data API`;
  }, [brand]);
  const refused = [orgs, brands].find((each) => each.state === 'refused');
  if (refused?.state === 'refused') {
    const isKey = isApiError(refused.error, 'invalid_api_key');
    return (
      <main id="main">
        <Refused
          error={refused.error}
          {...(isKey ? { retry: onClose, action: 'Enter another key' } : refused)}
        />
      </main>
    );
  }
  return (
    <>
      <Choices
        view={view}
        navigate={navigate}
        orgs={orgs.state === 'done' ? orgs.value : []}
        brands={own}
        markets={org.state === 'done' ? org.value.usage.countries.codes : []}
      />
      <main id="main" tabIndex={-1}>
        <Loaded data={hasNoOrg ? { state: 'done', value: [] } : brands}>
          {() =>
            brand === undefined || orgId === undefined ? (
              <Missing isEmpty={own.length === 0} />
            ) : view.prompt === undefined ? (
              <Overview brand={brand} orgId={orgId} view={view} navigate={navigate} />
            ) : (
              <Answers brand={brand} orgId={orgId} view={view} promptId={view.prompt} />
            )
          }
        </Loaded>
      </main>
    </>
  );
}

function Missing({ isEmpty }: { isEmpty: boolean }) {
  return (
    <div class="card empty">
      {isEmpty ? (
        <p>
          This organisation has no brand yet. Create one with <a href="/docs">createProperty</a>, and its
          pictures appear here after the first scan.
        </p>
      ) : (
        <p>The brand of this address does not exist, or this key cannot see it. Choose another above.</p>
      )}
    </div>
  );
}
