// Runs on each page of the site (`npm run docs`): draws its pictures, which are written in Mermaid.
(() => {
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
