/** Looks at a page from inside; evaluated in the browser, where there is a document and no module. */
globalThis.probes = {
  openFolds() {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
  },

  ground() {
    return getComputedStyle(document.body).backgroundColor;
  },

  /** As an injected one would: the policy of the page has to stop it. */
  addScript() {
    const script = document.createElement('script');
    script.textContent = 'document.title = "taken over"';
    document.body.append(script);
  },

  /** Elements that stick out of the window to the right, or make it scroll sideways. */
  sticksOut() {
    const width = document.documentElement.clientWidth;
    const wide = [...document.body.querySelectorAll('*')].filter((element) => {
      // Inside a picture the picture itself cuts; text for readers of the screen is cut to nothing.
      if (element.closest('svg svg') !== null || element.closest('.only-read') !== null) return false;
      const { right, width: own } = element.getBoundingClientRect();
      return own > 0 && right > width + 1;
    });
    const page = document.documentElement.scrollWidth > width ? ['the page scrolls sideways'] : [];
    return [...page, ...wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 200))];
  },

  /** How well text is told from what is behind it, as WCAG counts it: the worst on the page. */
  worstContrast() {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const paint = (colour, below) => {
      canvas.globalCompositeOperation = 'copy';
      canvas.fillStyle = `rgb(${below.join()})`;
      canvas.fillRect(0, 0, 1, 1);
      canvas.globalCompositeOperation = 'source-over';
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = (colour) => {
      const [r, g, b] = colour.map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
      const above = [];
      for (let at = element; at !== null; at = at.parentElement) above.unshift(at);
      return above.reduce((below, each) => paint(getComputedStyle(each).backgroundColor, below), [255, 255, 255]);
    };
    let worst = { ratio: 21, where: '' };
    const texts = 'h1,h2,h3,h4,p,li,td,th,a,b,span,code,summary,dt,dd,strong,small,div';
    for (const element of document.querySelectorAll(texts)) {
      if (element.closest('svg, .only-read') !== null || !element.checkVisibility()) continue;
      if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')) continue;
      const ground = behind(element);
      const own = paint(getComputedStyle(element).color, ground);
      const [more, less] = [light(own), light(ground)].sort((one, other) => other - one);
      const ratio = (more + 0.05) / (less + 0.05);
      if (ratio < worst.ratio) worst = { ratio, where: element.outerHTML.slice(0, 160) };
    }
    return worst;
  },
};
