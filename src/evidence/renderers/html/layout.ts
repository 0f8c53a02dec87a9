import { type Markup, markup } from './markup.ts';

export const layout: Markup = markup`
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:3.2rem;-webkit-text-size-adjust:100%}
body{background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;margin:0 auto;max-width:76rem;padding:1.25rem 1.25rem 3rem;overflow-wrap:anywhere}
h1,h2,h3,h4,p,ul,ol,dl,dd,figure,pre{margin:0}
h1{font-size:1.05rem}h2{font-size:1.75rem;line-height:1.2;letter-spacing:-.015em;unicode-bidi:isolate}h3{font-size:1.1rem;letter-spacing:-.005em}h4{font-size:.95rem;margin:1rem 0 .35rem}
a{color:inherit;text-decoration-color:color-mix(in srgb,currentColor 35%,transparent);text-underline-offset:.15em}a:hover{text-decoration-color:currentColor}
:focus-visible{outline:2px solid var(--low);outline-offset:2px}
code,pre,.seq,.hash{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.86em;unicode-bidi:isolate}
b,td>div,h4,strong{unicode-bidi:isolate}
.faint{color:var(--soft);font-size:.88rem}.hash{font-size:.75rem}.version{color:var(--soft);font-weight:400}.number{font-variant-numeric:tabular-nums}
header.page{align-items:baseline;display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;justify-content:space-between;margin-bottom:1.25rem}
header.page>div:last-child{display:flex;flex-wrap:wrap;gap:.2rem 1rem;align-items:baseline}
.brand{align-items:center;display:flex;gap:.45rem}.brand .icon{color:var(--critical);height:1.25rem;width:1.25rem}
.what{margin:.4rem 0 0}.subject{margin-top:1rem}.subject+.subject{border-top:3px solid var(--line);margin-top:3rem;padding-top:2rem}
section.card{background:var(--card);border:1px solid var(--line);border-radius:12px;margin-top:1rem;padding:1.1rem 1.25rem}
section.card>h3+.faint{margin:.1rem 0 .7rem}section.card>h3{margin-bottom:.5rem}section.card>.faint:last-child{margin-bottom:0}section.card>h3+.faint{margin-top:-.35rem}
nav{background:var(--page);display:flex;flex-wrap:wrap;gap:.1rem .35rem;margin-top:.8rem;padding:.45rem 0;position:sticky;top:0;z-index:2}
nav a{border-radius:6px;color:var(--soft);font-size:.88rem;padding:.15rem .5rem;text-decoration:none}nav a:hover{background:var(--sunk);color:var(--ink)}
.chip{border:1px solid color-mix(in srgb,var(--tone) 40%,transparent);border-radius:5px;color:var(--tone);display:inline-block;font-size:.8rem;line-height:1.35;max-width:100%;padding:.02rem .4rem;vertical-align:baseline}
.chip.critical,.chip.high,.chip.medium,.chip.good,.chip.low{background:color-mix(in srgb,var(--tone) 9%,transparent)}
.chip.unknown{border-style:dashed}
details{margin-top:.6rem}summary{color:var(--soft);cursor:pointer;font-size:.9rem;width:fit-content}summary:hover{color:var(--ink)}.folded{margin-top:.5rem}
table{border-collapse:collapse;font-size:.92rem;width:100%}th{color:var(--soft);font-size:.8rem;font-weight:500;text-align:left;white-space:nowrap}
td,th{border-bottom:1px solid var(--line);padding:.38rem .9rem .38rem 0;vertical-align:top}td:last-child,th:last-child{padding-right:0}tr:last-child>td{border-bottom:0}td.number{font-variant-numeric:tabular-nums;white-space:nowrap}
td:first-child{min-width:5.4rem}
pre{background:var(--sunk);border-radius:7px;line-height:1.45;max-height:24rem;overflow:auto;padding:.6rem .75rem;white-space:pre-wrap}
figure+figure{margin-top:.6rem}figcaption{color:var(--soft);font-size:.85rem;margin-bottom:.2rem}
.callout{background:repeating-linear-gradient(135deg,color-mix(in srgb,var(--tone) 7%,transparent) 0 8px,transparent 8px 16px);border:1px dashed var(--tone);border-radius:8px;margin-top:1rem;padding:.7rem .9rem}.callout pre{background:var(--card);margin-top:.5rem}
section.verdict{border-top:5px solid var(--tone)}section.verdict.unknown{border-top-style:dashed}
.top{display:grid;gap:1.25rem 1.75rem;grid-template-columns:13.5rem minmax(0,1fr) 15rem}
.dial{text-align:center}.band{color:var(--tone);font-size:1.9rem;font-weight:700;letter-spacing:-.02em;line-height:1.1;margin:.1rem 0 .45rem}
.axes{display:grid;gap:.7rem}.axis{border-left:4px solid var(--tone);padding:.05rem 0 .05rem .8rem}.axis.unknown{border-left-style:dashed}
.axis .name{font-size:.85rem}.axis .name b{text-transform:capitalize}.axis .name span{color:var(--soft)}
.axis .label{align-items:center;color:var(--tone);display:flex;flex-wrap:wrap;font-size:1.35rem;font-weight:650;gap:.1rem .6rem;letter-spacing:-.01em;line-height:1.25}.axis .label::first-letter{text-transform:capitalize}.axis p{font-size:.9rem}
.class{align-items:baseline;border:1.5px solid var(--tone);border-radius:6px;color:var(--tone);display:inline-flex;font-size:.85rem;font-weight:700;gap:.3rem;letter-spacing:0;line-height:1.3;padding:0 .4rem}.class small{font-size:.78rem;font-weight:500}
.coverage h3{font-size:.95rem;margin-bottom:.4rem}.meter{display:grid;font-size:.85rem;grid-template-columns:1fr auto;margin-bottom:.45rem}.meter span{color:var(--soft)}.meter i{color:var(--soft);font-style:normal;font-weight:400}.meter svg{grid-column:1/-1;margin-top:.15rem}
.phases{display:flex;flex-wrap:wrap;gap:.2rem;list-style:none;padding:0}.phases li{border:1px solid var(--line);border-radius:4px;font-size:.74rem;padding:0 .3rem}.phases .done{background:color-mix(in srgb,var(--good) 12%,transparent);border-color:transparent;color:var(--good)}.phases .not{border-style:dashed;color:var(--soft)}
.only-read{clip-path:inset(50%);height:1px;overflow:hidden;position:absolute;width:1px}
.advice{border-top:1px solid var(--line);margin-top:1rem;padding-top:.8rem}.advice h3{font-size:.95rem}.advice ol{padding-left:1.2rem}.advice li{margin:.25rem 0}.ref{color:var(--soft);font-size:.85rem}
.finding{border:1px solid var(--line);border-left:5px solid var(--tone);border-radius:9px;margin-top:.8rem;padding:.8rem 1rem}.finding:target{box-shadow:0 0 0 2px var(--tone)}
.finding>header{align-items:center;display:flex;flex-wrap:wrap;gap:.35rem .6rem}.finding h4{flex:1 1 16rem;font-size:1.02rem;line-height:1.35;margin:0}.finding h4 a{text-decoration:none}
.badge{background:var(--tone);border-radius:5px;color:var(--on);font-size:.78rem;font-weight:650;padding:.1rem .5rem}
.remedy{margin:.6rem 0}.remedy b{color:var(--good);margin-right:.3rem}.tags{color:var(--soft);font-size:.8rem;margin-top:.6rem}.place{margin-top:.5rem}.way{margin-top:.5rem;padding-left:1.4rem}
.repro{align-items:baseline;background:var(--sunk);border-radius:7px;display:flex;flex-wrap:wrap;gap:.2rem .7rem;padding:.4rem .7rem}.repro span{color:var(--soft);font-size:.82rem}.repro code{user-select:all}
.tally{display:flex;flex-wrap:wrap;gap:.6rem;margin-top:1rem}.tile{background:var(--card);border:1px solid var(--line);border-top:4px solid var(--tone);border-radius:9px;flex:1 1 6rem;padding:.5rem .8rem}.tile b{color:var(--tone);display:block;font-size:1.6rem;line-height:1.15}.tile span{color:var(--soft);font-size:.85rem}.tile.plain{border-top-color:var(--line)}.tile.plain b{font-weight:400}.tile.unknown{border-top-style:dashed}
.description{color:var(--soft);display:block;font-size:.85rem;margin-top:.1rem;unicode-bidi:isolate}.tool{font-weight:650}td .chip{margin:.06rem 0}
.facts{display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;margin-bottom:.7rem}.facts dt{color:var(--soft);font-size:.78rem}.facts dd{font-variant-numeric:tabular-nums}
.reasons,section li ul{padding-left:1.2rem}.reasons{font-size:.92rem;margin-top:.6rem}.command{margin-top:.5rem}.folded>ul,.folded>ol{padding-left:1.2rem}
.calls{font-size:.85rem;padding-left:3rem!important}.calls i{color:var(--soft);display:inline-block;font-style:normal;font-variant-numeric:tabular-nums;min-width:4.2rem}
.item{color:var(--soft)}.item+.item::before{content:" · "}.empty{color:var(--soft)}
footer{color:var(--soft);font-size:.85rem;margin:2rem .25rem 0;max-width:60rem}
`;
