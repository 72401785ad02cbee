import type { Brand, Organisation, ScoreWindow } from '@bv/sdk';
import { useAllowance } from '../data/connection.ts';
import type { Navigate } from '../state/navigation.ts';
import { platforms, type View, windows } from '../state/view.ts';
import { marketLabel, platformLabel, windowLabels } from '../words/labels.ts';
import { Choice } from './choice.tsx';

type Props = {
  view: View;
  navigate: Navigate;
  orgs: readonly Organisation[];
  brands: readonly Brand[];
  markets: readonly string[];
};

const all = '';

/** What is looked at. Every choice is part of the address. */
export function Choices({ view, navigate, orgs, brands, markets }: Props) {
  const org = view.org ?? orgs[0]?.id ?? '';
  const brand = view.brand ?? brands[0]?.id ?? '';
  const codes =
    view.market === undefined || markets.includes(view.market) ? markets : [...markets, view.market];
  const windowChoices = windows.map((each): [ScoreWindow, string] => [each, windowLabels[each]]);
  return (
    <div class="choices" role="search" aria-label="What is shown">
      {orgs.length > 1 ? (
        <Choice
          label="Organisation"
          value={org}
          values={orgs.map(({ id, name }) => [id, name])}
          onChange={(id) => navigate({ org: id, brand: undefined, market: undefined, prompt: undefined })}
        />
      ) : null}
      <Choice
        label="Brand"
        value={brand}
        values={brands.map(({ id, name }) => [id, name])}
        onChange={(id) => navigate({ brand: id, prompt: undefined })}
      />
      <Choice
        label="Market"
        value={view.market ?? all}
        values={[[all, 'All markets'], ...codes.map((code) => [code, marketLabel(code)] as const)]}
        onChange={(code) => navigate({ market: code === all ? undefined : code })}
      />
      <Choice
        label="Platform"
        value={view.platform ?? all}
        values={[[all, 'All platforms'], ...platforms.map((id) => [id, platformLabel(id)] as const)]}
        onChange={(id) => navigate({ platform: id === all ? undefined : id })}
      />
      <Choice
        label="Window"
        value={view.window}
        values={windowChoices}
        onChange={(window) => navigate({ window })}
      />
    </div>
  );
}

/** The allowance of the key, after each request. */
export function Allowance() {
  const allowance = useAllowance();
  if (allowance === undefined) return null;
  const { remaining, limit } = allowance;
  return (
    <span class="allowance" title="Requests that the key has left in this minute">
      {remaining} of {limit} requests left
    </span>
  );
}
