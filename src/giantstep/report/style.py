"""The look of the report: one sheet for all pages, light and dark, from a phone's width upwards."""

MOST_COLUMNS = 16  # of a table whose cells say what they are on a narrow screen
LABELS = " ".join(f"td:nth-child({n})::before {{ content: var(--c{n}); }}" for n in range(1, MOST_COLUMNS + 1))

STYLE = """
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fdfdfc; --card: #ffffff; --soft: #62686e; --line: #dfe2e5;
        --link: #1f5fa8; --good: #187a45; --bad: #c0322b; --open: #8f5f00; --note: #f4f1e8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e3; --paper: #16181a; --card: #1d2023; --soft: #9ba1a7; --line: #34383c; --link: #82b4f0;
          --good: #5fc48d; --bad: #ef7f78; --open: #d9a441; --note: #26241d; }
  .picture { filter: invert(0.92) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
body { font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0; }
main { max-width: 68rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
nav { border-bottom: 1px solid var(--line); padding: .7rem 1rem; }
nav div { max-width: 66rem; margin: 0 auto; display: flex; gap: 1.4rem; flex-wrap: wrap; }
nav b { margin-right: auto; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1.4rem 0 .4rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
sub, sup { font-size: .72em; line-height: 0; }
.soft { color: var(--soft); font-size: .9rem; }
.holds { color: var(--good); } .fails { color: var(--bad); } .undecided { color: var(--open); }
.outside { color: var(--soft); }
.badge { font-weight: 600; font-size: .85rem; border: 1.5px solid currentColor; border-radius: 99px; padding: 0 .6em;
         white-space: nowrap; }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); }
.card { display: block; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .9rem;
        color: inherit; }
.card:hover { border-color: var(--link); text-decoration: none; }
.card header { display: flex; justify-content: space-between; gap: .6rem; align-items: baseline; }
.card h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
.card p { margin: .4rem 0; font-size: .92rem; }
.card .thumbnail { display: flex; height: 11rem; align-items: center; justify-content: center; background: #fff;
                   border-radius: 6px; overflow: hidden; }
.card img { max-width: 100%; max-height: 11rem; }
.finding { background: var(--note); border-left: 4px solid var(--open); padding: .6rem 1rem; border-radius: 4px; }
figure { margin: 1rem 0; }
figure .picture { background: #fff; padding: .5rem; border-radius: 8px; }
.picture > svg, .parts svg { display: block; max-width: 100%; height: auto; }
.picture > svg { margin: 0 auto; }
.parts { display: none; }
@media screen and (max-width: 44rem) {
  .picture:has(.parts) { position: relative; }
  .picture > svg:has(+ .parts) { position: absolute; width: 1px; height: 1px; clip-path: inset(50%); }
  .parts, .parts div { display: flex; flex-wrap: wrap; gap: .9rem; }
  .parts div { flex-basis: 100%; gap: 0 .4rem; }
}
figcaption { color: var(--soft); font-size: .9rem; margin-top: .3rem; }
figcaption a { padding-right: .6em; }
button { font: inherit; color: var(--link); background: none; border: 0; padding: 0 .6em 0 0; cursor: pointer; }
button:hover { text-decoration: underline; }
@media (prefers-color-scheme: dark) { .card .thumbnail { background: #141414; } }
.pair { display: grid; gap: 0 1.2rem; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); }
.display { overflow-x: auto; font-size: 1.15em; margin: 1rem 0 .4rem; }
.display div { margin: .7rem 0 .7rem 1.2rem; min-width: max-content; }
[hidden] { display: none !important; }
.wide { overflow-x: auto; }
#filter { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0; }
#filter input, #filter select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
                                border-radius: 6px; padding: .35rem .6rem; max-width: 100%; }
#filter input { flex: 1 1 14rem; }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .4rem 1.2rem; }
dt { font-weight: 600; } dd { margin: 0; }
.beside { display: flex; justify-content: space-between; gap: 1rem; font-size: .9rem; }
.about { color: var(--soft); font-size: .9rem; }
tr.first td { border-bottom: 0; padding-bottom: 0; }
td.about { padding-bottom: .8rem; max-width: 60rem; }
h2 .soft { font-weight: 400; }
table { border-collapse: collapse; font-size: .9rem; min-width: 100%; }
td, th { text-align: left; padding: .3rem 1.1rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { font-variant-numeric: tabular-nums; }
@media (max-width: 44rem) {
  thead { display: none; }
  tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td { display: flow-root; min-height: 1.6em; padding: .1rem 0 .1rem 7.3rem; border: 0;
       overflow-wrap: anywhere; }
  td:empty { display: none; }
  td::before { float: left; margin-left: -7.3rem; width: 6.8rem; color: var(--soft);
               font-size: .85rem; }
  /* labels */
  td.about::before { content: none; }
  td.about, .judged td { padding-left: 0; }
  tr.first { border-bottom: 0; padding-bottom: 0; }
  .plain tr { display: flex; gap: .5rem; } .plain td { padding: 0; }
  .plain td:first-child { flex: 0 0 6.8rem; color: var(--soft); }
  nav b { flex-basis: 100%; } nav div { gap: .2rem 1.1rem; }
  dl { grid-template-columns: 1fr; gap: .1rem; } dd { margin-bottom: .6rem; }
}
code, pre { font-size: .88em; } code { overflow-wrap: anywhere; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem;
      overflow-x: auto; }
details { margin: 1rem 0; } summary { cursor: pointer; color: var(--link); }
""".replace("/* labels */", LABELS)
