// On each page of the site (`npm run docs`): draws its pictures, which are written in Mermaid.
(() => {
  const pictures = [...document.querySelectorAll('pre > code.mermaid')];
  if (pictures.length === 0) return;
  const script = document.createElement('script');
  script.src = document.currentScript.src.replace(/[^/]+$/, 'mermaid.js');
  script.onload = () => {
    for (const picture of pictures) picture.parentElement.replaceWith(picture);
    mermaid.initialize({ theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'default' });
    void mermaid.run({ nodes: pictures });
  };
  document.head.append(script);
})();
