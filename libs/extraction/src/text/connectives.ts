/** Words that join clauses: `contrast` separates what is said of two brands, `and` joins names or clauses. */
type Connectives = { contrast: string; and: string };

const connectives: Record<string, Connectives> = {
  en: { contrast: 'but while whereas however although though yet', and: 'and or nor' },
  de: {
    contrast: 'aber während hingegen jedoch dagegen doch sondern obwohl wohingegen',
    and: 'und oder sowie noch',
  },
  fr: { contrast: 'mais tandis alors cependant toutefois pourtant bien', and: 'et ou ni' },
  es: { contrast: 'pero mientras aunque sino', and: 'y e o u ni' },
  it: { contrast: 'ma mentre però invece sebbene tuttavia', and: 'e ed o né' },
  pt: { contrast: 'mas enquanto porém embora contudo já', and: 'e ou nem' },
  nl: { contrast: 'maar terwijl hoewel echter daarentegen', and: 'en of noch' },
  sv: { contrast: 'men medan fast däremot', and: 'och eller samt' },
  da: { contrast: 'men mens selvom hvorimod derimot', and: 'og eller samt' },
  pl: { contrast: 'ale natomiast podczas lecz choć jednak zaś', and: 'i oraz lub albo ani a' },
  fi: { contrast: 'mutta kun taas vaikka', and: 'ja tai sekä eikä' },
  id: { contrast: 'tetapi tapi sedangkan namun sementara meskipun', and: 'dan atau serta' },
  tl: { contrast: 'pero ngunit subalit habang samantalang', and: 'at o' },
  af: { contrast: 'maar terwyl hoewel', and: 'en of' },
  hi: { contrast: 'लेकिन जबकि परंतु मगर किंतु हालाँकि हालांकि', and: 'और या व तथा' },
  ko: { contrast: '하지만 그러나 반면 반면에', and: '및 또는 그리고' },
  zh: { contrast: '', and: '' },
  ja: { contrast: '', and: '' },
};

const none: Connectives = { contrast: '', and: '' };
const words = (list: string): string[] => list.split(' ').filter((word) => word !== '');

export function contrastWords(language: string): string[] {
  return words((connectives[language] ?? none).contrast);
}

export function joiningWords(language: string): string[] {
  return words((connectives[language] ?? none).and);
}
