import type { MatchRules } from '@bv/contract';
import type { TrackedBrand } from '@bv/extraction';

type Identity = {
  id: string;
  name: string;
  domain: string;
  aliases: string[];
  match: MatchRules;
  is_own: boolean;
};

/** The form in which the extractor searches for a brand. */
export function toTrackedBrand({ id, name, domain, aliases, is_own: isOwn, match }: Identity): TrackedBrand {
  const { case_sensitive: caseSensitive, exclude, verify } = match;
  return { id, name, domain, aliases, isOwn, match: { caseSensitive, exclude, verify } };
}
