import { type Markup, markup } from '../../../../evidence/renderers/html/markup.ts';

/** What the pages of the lab have and others do not. */
export const labStyle: Markup = markup`
#summary .lead{font-size:1.15rem;margin-top:.3rem}
.identity{border-top:1px solid var(--line);display:grid;gap:.35rem 1.5rem;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));margin-top:1rem;padding-top:.8rem}
.identity dt{color:var(--soft);font-size:.78rem}.identity dd{overflow-wrap:anywhere}
.benign{color:var(--soft);font-size:.9rem;margin-top:.45rem}.benign b{color:var(--good)}
.seen{display:grid;gap:.15rem .9rem;grid-template-columns:minmax(6rem,max-content) minmax(0,1fr);margin-top:.5rem}.seen dt{color:var(--soft);font-size:.85rem}.seen dd code,.moments code{white-space:break-spaces}
.entropy{display:block;height:6rem;width:100%}.entropy rect{fill:var(--low)}.entropy .mid{fill:var(--medium)}.entropy .top{fill:var(--critical)}.entropy line{stroke:var(--line)}
.hexadecimal{font-size:.78rem;line-height:1.35;max-height:none;overflow-x:auto;white-space:pre}
.moments{display:grid;font-size:.86rem;gap:.1rem .8rem;grid-template-columns:4.6rem 7rem minmax(4rem,9rem) minmax(0,1fr);}
.moments .at{color:var(--soft);font-variant-numeric:tabular-nums;text-align:right}.moments .sharp{color:var(--high);font-weight:650}
.stretches{height:1.4rem;margin-top:2px;overflow:hidden;position:relative}.stretches span{background:var(--sunk);border-left:2px solid var(--soft);color:var(--soft);font:.72rem/1.4rem ui-monospace,Menlo,Consolas,monospace;overflow:hidden;padding-left:.2rem;position:absolute;text-overflow:ellipsis;top:0;unicode-bidi:isolate;white-space:nowrap}
.told{column-gap:2rem;columns:2 24rem;margin:.3rem 0 .6rem}.told>div{break-inside:avoid;display:grid;gap:.8rem;grid-template-columns:8.5rem minmax(0,1fr);padding:.12rem 0}.told dt{color:var(--soft);font-size:.85rem}.told dd{font-size:.92rem;unicode-bidi:isolate}
.block+.block{border-top:1px solid var(--line);margin-top:1rem;padding-top:.2rem}.block td{font-size:.86rem}h5{color:var(--soft);font-size:.86rem;margin:.9rem 0 .15rem}h5::first-letter,.told dt::first-letter,.block th::first-letter,.block figcaption::first-letter{text-transform:capitalize}
.worth{list-style:none;padding:0}.worth li{display:grid;gap:.8rem;grid-template-columns:5.5rem minmax(0,1fr)}.worth span{color:var(--soft);font-size:.85rem}
@media(max-width:40rem){.moments{grid-template-columns:4rem 1fr}.moments>*:nth-child(4n+3),.moments>*:nth-child(4n){grid-column:2}}
`;
