import { type Markup, markup } from './markup.ts';

/** On a phone columns become cards; on paper nothing is folded away and nothing sticks. */
export const smallAndPaper: Markup = markup`
@media (max-width:62rem){.top{grid-template-columns:12rem minmax(0,1fr)}.coverage{grid-column:1/-1}}
@media (max-width:42rem){body{font-size:14.5px;padding:.8rem .7rem 2rem}section.card{border-radius:10px;padding:.85rem .8rem}h2{font-size:1.4rem}nav{position:static}
.top{grid-template-columns:minmax(0,1fr)}.gauge{max-width:11rem}
.chain{align-items:stretch;flex-direction:column;flex-wrap:nowrap;gap:.15rem}.step{flex:none;max-width:none}.to{justify-content:center}.arrow{transform:rotate(90deg)}
thead{display:none}table,tbody,tr,td{display:block;width:auto}tr{border-bottom:1px solid var(--line);padding:.4rem 0}tr:last-child{border-bottom:0}table.line td,table.line td>div{border:0;display:inline;padding:0}table.line td{margin-right:.5rem}table.card td{border:0;display:grid;gap:.5rem;grid-template-columns:5.2rem minmax(0,1fr);padding:.1rem 0}td[data-l]::before{color:var(--soft);content:attr(data-l);font-size:.8rem;line-height:1.6}
.timeline .tight{display:none}.timeline .name,.timeline text.small{font-size:10px}.network{grid-template-columns:4.6rem 1.6rem minmax(0,1fr)}.self{font-size:.8rem;padding:.4rem .3rem}.tree li{margin-left:calc(var(--d)*.6rem)}.finding{padding:.7rem .75rem}}
@media print{body{font-size:10.5pt;max-width:none;padding:0}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}nav{display:none}section.card,.finding{break-inside:auto}.finding>header,h2,h3,h4,.chain,tr,.step,.timeline,.network{break-inside:avoid}h3,h4,.finding>header{break-after:avoid}pre,.step code{max-height:none;overflow:visible}details::details-content{block-size:auto;content-visibility:visible}summary{list-style:none}.calls,a{text-decoration:none}}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
`;
