import { describe, expect, test } from '@jest/globals';
import { readAnswer } from '../extract.ts';
import type { TrackedBrand } from '../names/tracked-brand.ts';

const acme: TrackedBrand = { id: '1', name: 'Acme', domain: 'acme.com', aliases: ['Akme'], isOwn: true };
const others = (answerText: string, sources: { domain: string; cited: boolean }[] = []) =>
  readAnswer({ answerText, sources, brands: [acme] }).others;
const names = (text: string) => others(text).map(({ name }) => name);

describe('names that an answer presents', () => {
  test.each([
    [
      'list heads',
      '1. Salesforce – big\n2. **HubSpot**: free\n3) Pipedrive (cheap)',
      'Salesforce HubSpot Pipedrive',
    ],
    [
      'headings',
      '### 1. HubSpot\nGood.\n### 2. Pipedrive: for sales\nGood.\n## Conclusion\nBoth.',
      'HubSpot Pipedrive',
    ],
    ['bold words', 'I would choose **HubSpot** for its **ease of use**.', 'HubSpot'],
    ['rows', '| Tool | Price |\n|---|---|\n| HubSpot | $20 |\n| **Pipedrive** | $15 |', 'HubSpot Pipedrive'],
    [
      'columns',
      '| Feature | HubSpot | Pipedrive |\n|---|---|---|\n| Price | $20 | $15 |',
      'HubSpot Pipedrive',
    ],
    ['link labels', 'Look at [HubSpot](https://hubspot.com) ([g2.com](https://g2.com/x)).', 'HubSpot'],
    ['a list after a colon', 'Good ones: HubSpot, Pipedrive and Salesforce.', 'HubSpot Pipedrive Salesforce'],
    [
      'a list after "such as"',
      'Tools such as HubSpot, Pipedrive, and Zoho are good.',
      'HubSpot Pipedrive Zoho',
    ],
    ['marks around a name', '- ⭐ **"HubSpot"™** (free) – good\n- 🥈 **Pipedrive®**\n', 'HubSpot Pipedrive'],
    ['attributes of each name', '- **HubSpot**\n  - **Pricing**: $20\n  - **Best for**: teams\n', 'HubSpot'],
    ['German', '1. **DKB** – gut\n2. **N26** – gut\n\n**Fazit:** Beide.\n- **Vorteile:** günstig', 'DKB N26'],
    [
      'Japanese',
      '1. **楽天銀行**：便利\n2. **PayPay銀行**：便利\n\n### まとめ\n- **メリット**：無料',
      '楽天銀行 PayPay銀行',
    ],
  ])('%s', (_rule, text, expected) => {
    expect(names(text).join(' ')).toBe(expected);
  });

  test('are not tracked under any spelling, nor a part of their name', () => {
    expect(names('- **ACME** – a\n- **Akme Ltd** – b\n- **Acme Cloud** – c\n- **HubSpot** – d')).toEqual([
      'HubSpot',
    ]);
  });

  test('have their first spelling and place, in code points', () => {
    const text =
      '😀 Rivals:\n- **Open Hands** – a\n- **HubSpot** – b\n\n| OpenHands | HubSpot |\n|---|---|\n';
    expect(others(text)).toEqual([
      { name: 'Open Hands', key: 'openhands', start: 14, end: 24, domain: null },
      { name: 'HubSpot', key: 'hubspot', start: 35, end: 42, domain: null },
    ]);
  });

  test('have the domain of their link or of a cited source with their name', () => {
    const text =
      '- [HubSpot CRM](https://www.hubspot.com/crm) – a\n- Pipedrive – b [1](https://g2.com)\n- Zoho – c';
    const sources = [
      { domain: 'pipedrive.com', cited: true },
      { domain: 'zoho.com', cited: false },
    ];
    expect(others(text, sources).map(({ domain }) => domain)).toEqual(['hubspot.com', 'pipedrive.com', null]);
  });

  test('are at most 50', () => {
    const text = Array.from({ length: 80 }, (_, index) => `- **Tool${index}X** – good`).join('\n');
    expect(names(text)).toHaveLength(50);
  });
});
