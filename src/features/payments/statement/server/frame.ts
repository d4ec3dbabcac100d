import { drawPage, h, type PageContent } from '../../../../platform/http/page.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { isLight } from '../../../businesses/rules.ts'

/** How the pages look that a customer opens by a link and that need no script. */
const style = `
:root{color-scheme:light;--ink:#16211a;--quiet:#4d5a51;--line:#e2ddd0;--paper:#faf8f3;--late:#9a2a12}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.5 Hanken Grotesk,system-ui,Segoe UI,Roboto,Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:720px;margin:0 auto;padding:20px 16px 40px}
header{display:flex;align-items:center;gap:14px;padding:18px 22px;margin:0 0 16px;border-radius:14px;background:var(--brand);color:var(--on-brand)}
header img{height:44px;max-width:120px;object-fit:contain;padding:4px;border-radius:8px;background:#fff}
header p{margin:0;font-size:21px;line-height:1.2;font-weight:680;letter-spacing:-.015em}
section,form{background:#fff;border:1px solid var(--line);border-radius:14px;padding:18px;margin:0 0 16px}
h1{margin:0;font-size:22px;line-height:1.25}
h2{font-size:18px;margin:0 0 8px}
h2[lang]{margin-top:18px}
p{margin:4px 0}
.owed{font-size:46px;line-height:1.1;font-weight:700;margin:12px 0 4px;font-variant-numeric:tabular-nums}
.quiet{color:var(--quiet)}
.late{color:var(--late);font-weight:600}
.note{border-left:4px solid var(--brand)}
.bad{border-left:4px solid var(--late)}
.test{border:1.5px dashed #b98300;background:#fff6df;color:#6b4a00;font-weight:700;text-align:center;padding:8px;margin:0 0 12px}
fieldset{border:0;margin:0;padding:0;min-width:0}
legend{font-size:18px;font-weight:700;padding:0 0 6px}
ul{list-style:none;margin:0;padding:0}
.rows li{display:flex;flex-wrap:wrap;gap:0 12px;justify-content:space-between;padding:11px 0;border-top:1px solid var(--line)}
.rows li:first-child{border-top:0}
.rows li>label,.rows li>span:first-child{flex:1;min-width:0}
.rows li>label{display:flex;gap:12px;flex:1;min-width:0;cursor:pointer}
.rows input[type=checkbox]{width:22px;height:22px;margin:3px 0 0;flex:none;accent-color:var(--brand)}
.rows small{display:block;color:var(--quiet);font-size:15px}
.rows small.late{color:var(--late)}
.rows details{flex-basis:100%}
summary{min-height:44px;padding:10px 0;font-weight:600;font-size:15px;cursor:pointer;color:#14432f}
details label{display:block;font-weight:600}
details input{display:block;width:100%;max-width:260px;min-height:48px;margin:8px 0 0;padding:8px 12px;border:1.5px solid #6d7a71;border-radius:10px;font:inherit}
.side{text-align:right;flex:none;font-variant-numeric:tabular-nums}
.side a{display:block;font-size:15px;padding:8px 0 6px 12px}
a{color:#14432f;font-weight:600}
button{width:100%;min-height:56px;padding:8px 14px;margin:14px 0 4px;border:0;border-radius:12px;background:var(--brand);color:var(--on-brand);font:650 19px/1.2 inherit;font-family:inherit;font-weight:650;font-size:19px;cursor:pointer}
button.second{background:#fff;color:#14432f;border:1.5px solid #14432f}
blockquote{margin:8px 0;padding:10px 14px;border-left:3px solid var(--brand);background:var(--paper)}
button:focus-visible,input:focus-visible,summary:focus-visible,a:focus-visible{outline:3px solid #2766a8;outline-offset:2px}
button[aria-busy=true]{opacity:.7}
table{width:100%;border-collapse:collapse}
td,th{padding:9px 0;border-top:1px solid var(--line);text-align:left;font-weight:400}
tr:first-child td,tr:first-child th{border-top:0}
td{text-align:right;font-variant-numeric:tabular-nums;font-weight:600}
.contact a{display:inline-block;padding:11px 18px 11px 0}
@media(max-width:560px){main{padding-top:0}.test,header{margin-left:-16px;margin-right:-16px;border-radius:0}.test{margin-bottom:0;border-width:0 0 1.5px}}
@media(max-width:400px){.owed{font-size:40px}section,form{padding:16px 14px}}
@media print{button,.test,input,details{display:none}body{background:#fff}section,form{border:0;padding:0}}
`

/** A page of a business for its customer, in its color. */
export const paperHtml = (
  title: string,
  color: string,
  content: PageContent,
  more: { language?: Language; refresh?: { seconds: number; url: string }; script?: string } = {},
): string =>
  drawPage({
    language: 'en',
    title,
    style,
    ...more,
    content: h(
      'main',
      { style: { '--brand': color, '--on-brand': isLight(color) ? '#2b1c00' : '#fff' } as never },
      content,
    ),
  })
