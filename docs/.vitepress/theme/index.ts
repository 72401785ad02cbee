import { onContentUpdated } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { NotFound } from './not-found.ts';
import './style.css';

/** Shows the address of this installation in the samples. Operators read the pages at another one. */
function fillInOrigin(content: Element): void {
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    if (text.data.includes('https://your-host')) {
      text.data = text.data.replaceAll('https://your-host', location.origin);
    }
  }
}

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'not-found': () => h(NotFound) }),
  setup() {
    onContentUpdated(() => {
      const content = document.getElementById('VPContent');
      if (content === null) return;
      // The landing page of the theme has no main landmark.
      content.role = content.classList.contains('is-home') ? 'main' : null;
      if (!import.meta.env.VITE_OPERATOR) fillInOrigin(content);
    });
  },
};
