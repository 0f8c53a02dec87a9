import { type Markup, markup } from './markup.ts';

export const pictures: Markup = markup`
svg{display:block}svg text{fill:var(--ink);font:12px system-ui,-apple-system,"Segoe UI",sans-serif}svg text.small,svg tspan.small{fill:var(--soft);font-size:11px}
.icon{fill:none;height:1rem;stroke:currentColor;stroke-linejoin:round;stroke-width:1.6;width:1rem}
.gauge{margin:0 auto;max-width:13.5rem;width:100%}.gauge path{fill:none}.gauge .track{stroke:var(--sunk);stroke-width:15}.gauge .track.open{stroke:var(--tone);stroke-dasharray:3 5;stroke-opacity:.6}.gauge .value{stroke:var(--tone);stroke-width:15}.gauge .tick{stroke:var(--soft);stroke-width:1.2}.gauge text.risk{fill:var(--tone);font-size:50px;font-weight:700;letter-spacing:-2px}
.meter .track{fill:var(--sunk)}.meter .value{fill:var(--tone)}
.chain{align-items:stretch;display:flex;flex-wrap:wrap;gap:.5rem .35rem;list-style:none;margin-top:.75rem;padding:0}
.step{background:var(--sunk);border:1px solid var(--line);border-radius:8px;flex:1 1 10.5rem;max-width:22rem;min-width:0;padding:.45rem .65rem}
.step .kind{align-items:center;color:var(--soft);display:flex;font-size:.76rem;gap:.35rem}.step .seq{margin-left:auto}.step strong{display:block;font-size:.88rem;font-weight:600;line-height:1.35;margin-top:.1rem}.step code{display:block;font-size:.78rem;line-height:1.4;margin-top:.2rem;max-height:8.4em;overflow:auto;white-space:pre-wrap}
.finding .step.effect{background:color-mix(in srgb,var(--tone) 9%,var(--card));border-color:var(--tone)}.finding .step.effect .kind{color:var(--tone)}
.to{align-items:center;display:flex;flex:none}.arrow{fill:none;height:.9rem;stroke:var(--soft);stroke-linecap:round;stroke-linejoin:round;stroke-width:1.8;width:1.35rem}
.timeline{overflow:visible}.timeline .phase{fill:var(--sunk)}.timeline .phase.odd{fill:var(--line)}.timeline .name{font-weight:600}.timeline .lane{font-size:13px;font-weight:600}.timeline .lane .small{font-weight:400}
.timeline .border{stroke:var(--line);stroke-dasharray:2 3}.timeline .base{stroke:var(--line)}.bar rect{fill:var(--tone);fill-opacity:.92}.bar text{fill:var(--on);font-size:11px}
.mark path{fill:var(--critical);stroke:var(--card);stroke-width:1.5}.mark text{fill:var(--on);font-size:10px;font-weight:700}
.marks{display:grid;gap:.15rem;list-style:none;margin-top:.7rem;padding:0}.marks li{font-size:.9rem}.marks .number{background:var(--critical);border-radius:3px;color:var(--on);display:inline-block;font-size:.75rem;line-height:1.3;min-width:1.25rem;padding:0 .25rem;text-align:center}
.legend{display:flex;flex-wrap:wrap;gap:.3rem;margin-top:.7rem}.legend .chip{font-size:.75rem}
.network{align-items:center;display:grid;grid-template-columns:minmax(5rem,11rem) minmax(3rem,1fr) minmax(0,2.2fr)}
.self{background:var(--sunk);border:1.5px solid var(--soft);border-radius:9px;padding:.6rem .7rem;text-align:center}
.lines{display:block;width:100%}.lines path{fill:none;stroke:var(--tone);vector-effect:non-scaling-stroke}.lines .unknown,.lines .info{stroke-dasharray:4 4}
.network ul{list-style:none;padding:0}.network li{border-left:4px solid var(--tone);display:flex;flex-direction:column;height:46px;justify-content:center;min-width:0;padding-left:.6rem}.network li>*{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.network li b{font-size:.92rem;line-height:1.3}.network li span{color:var(--tone);font-size:.8rem;line-height:1.3}
.tree{list-style:none;padding:0}.tree li{border-left:2px solid var(--line);margin-left:calc(var(--d)*1.1rem);padding:.18rem 0 .18rem .6rem}.tree li>code{color:var(--soft);display:block;line-height:1.4;white-space:pre-wrap}.tree .chip{font-size:.72rem;margin-right:.25rem}
.difference{background:var(--sunk);border-radius:7px;font:12.5px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,monospace;margin:.4rem 0 .8rem;padding:.45rem 0}.difference span{display:block;padding:0 .7rem 0 1.6rem;position:relative;unicode-bidi:isolate;white-space:pre-wrap}.difference i{font-style:normal;left:.65rem;position:absolute}
.difference .added{background:color-mix(in srgb,var(--good) 13%,transparent)}.difference .removed{background:color-mix(in srgb,var(--critical) 11%,transparent)}.difference .same{color:var(--soft)}
`;
