import { useData, withBase } from 'vitepress';
import { h, onMounted, ref } from 'vue';

type Link = { text: string; link: string };

/** The page of an unknown address. It suggests the pages whose names share a word with it. */
export const NotFound = {
  setup() {
    const { theme } = useData<{ sidebar: Record<string, { items: Link[] }[]> }>();
    const pages = Object.values(theme.value.sidebar).flatMap((groups) =>
      groups.flatMap(({ items }) => items),
    );
    const found = ref<Link[]>([]);
    onMounted(() => {
      const words = location.pathname.toLowerCase().match(/[a-z]{4,}/g) ?? [];
      found.value = pages.filter(({ link }) => words.some((word) => link.includes(word))).slice(0, 5);
    });
    const start: Link[] = [
      { text: 'Start page', link: '/' },
      { text: 'Quick start', link: '/guides/quick-start' },
      { text: 'Reference', link: '/reference' },
    ];
    const item = ({ text, link }: Link) => h('li', h('a', { href: withBase(link) }, text));
    return () =>
      h('main', { class: 'vp-doc not-found' }, [
        h('h1', 'There is no page at this address'),
        h('p', 'Search for it, or read one of these:'),
        h('ul', [...found.value, ...start].map(item)),
      ]);
  },
};
