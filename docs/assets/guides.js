/** Copy buttons of code blocks, and the search of the guides. */
/* global MiniSearch, searchIndex */
for (const block of document.querySelectorAll('.guide pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.querySelector('code').textContent).then(() => {
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2_000);
    });
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  block.tabIndex = 0;
  block.replaceWith(frame);
  frame.append(block, button);
}

const search = new MiniSearch({
  fields: ['title', 'guide', 'text'],
  storeFields: ['title', 'guide'],
  searchOptions: { boost: { title: 4, guide: 2 }, prefix: true, fuzzy: 0.15 },
});
search.addAll(searchIndex);

const input = document.querySelector('#search');
const list = document.querySelector('#found');

function showResults() {
  const results = input.value.trim() === '' ? [] : search.search(input.value).slice(0, 8);
  list.replaceChildren(
    ...results.map(({ id, title, guide }) => {
      const link = document.createElement('a');
      link.href = id;
      link.textContent = title === guide ? title : `${guide}: ${title}`;
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  if (results.length === 0 && input.value.trim() !== '') {
    const item = document.createElement('li');
    item.textContent = 'Nothing found';
    list.append(item);
  }
  list.hidden = list.childElementCount === 0;
}

input.addEventListener('input', showResults);
input.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') list.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') list.hidden = true;
  const isTyping = ['INPUT', 'TEXTAREA'].includes(document.activeElement?.tagName ?? '');
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    input.focus();
  }
});
document.addEventListener('click', ({ target }) => {
  if (!target.closest('.search')) list.hidden = true;
});
