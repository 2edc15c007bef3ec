// Runs on each page of the site (`npm run docs`): gives room to the sentences in its tables, and draws its pictures,
// which are written in Mermaid.
(() => {
  for (const cell of document.querySelectorAll('.tsd-typography td')) {
    if (cell.textContent.length > 70) cell.style.minWidth = '18em';
    // A route may go on in the next line.
    for (const code of cell.querySelectorAll('code'))
      code.innerHTML = code.innerHTML.replace(/(?<!<)\/(?=:?\w)/g, '/<wbr>');
  }
  const pictures = [...document.querySelectorAll('pre > code.mermaid')];
  if (pictures.length === 0) return;
  const script = document.createElement('script');
  script.src = document.currentScript.src.replace(/[^/]+$/, 'mermaid.js');
  script.onload = async () => {
    mermaid.initialize({
      startOnLoad: false,
      theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'default',
    });
    for (const [i, picture] of pictures.entries()) {
      const { svg } = await mermaid.render(`picture-${i}`, picture.textContent);
      const place = document.createElement('figure');
      place.innerHTML = svg;
      picture.parentElement.replaceWith(place);
    }
  };
  document.head.append(script);
})();
